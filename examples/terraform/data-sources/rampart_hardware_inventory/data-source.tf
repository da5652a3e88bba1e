data "rampart_hardware_inventory" "web" {
  host_ids = ["1002", "1003"]
}

output "hardware" {
  value = data.rampart_hardware_inventory.web.values
}
