data "rampart_hosts" "offline" {
  where = "host.group == \"Berlin Servers\" && !host.online"
}

output "offline" {
  value = data.rampart_hosts.offline.hosts[*].name
}
