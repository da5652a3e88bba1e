# Finds every host of the account. Terraform stops at 100 unless limit is set.
list "rampart_host" "all" {
  provider = rampart
  limit    = 10000
}

# Finds the hosts of one group that are online.
list "rampart_host" "servers" {
  provider = rampart
  config {
    group  = "Berlin Servers"
    online = true
  }
}
