data "rampart_system_inventory" "web" {
  host_ids = ["1002", "1003"]
}

output "system" {
  value = data.rampart_system_inventory.web.values
}
