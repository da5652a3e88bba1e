# By id, or by name.
terraform import rampart_host.web 9007199254740993
terraform import rampart_host.lobby LOBBY
