# By the group's id or name; the whole group is taken.
terraform import rampart_group_members.kiosks Kiosks
