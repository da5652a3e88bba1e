# By the group's id or name; it gets the present members of the group.
terraform import rampart_group_members.kiosks Kiosks
