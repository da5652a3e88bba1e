data "rampart_antivirus" "all" {}

output "without" {
  value = [for id, host in data.rampart_antivirus.all.hosts : id if !host.installed]
}
