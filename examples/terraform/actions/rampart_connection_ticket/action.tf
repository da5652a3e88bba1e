# terraform apply -invoke=action.rampart_connection_ticket.web
action "rampart_connection_ticket" "web" {
  config {
    host_id = "1002"
    file    = "ticket.json"
  }
}
