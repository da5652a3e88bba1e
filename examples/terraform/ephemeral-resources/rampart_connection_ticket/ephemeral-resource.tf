ephemeral "rampart_connection_ticket" "web" {
  host_id = "1002"
}
