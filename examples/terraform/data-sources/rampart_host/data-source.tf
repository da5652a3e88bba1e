data "rampart_host" "canteen" {
  name = "CANTEEN"
}

output "canteen_is_online" {
  value = data.rampart_host.canteen.online
}
