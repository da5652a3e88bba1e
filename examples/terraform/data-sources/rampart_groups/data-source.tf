data "rampart_groups" "all" {}

output "kiosks" {
  value = data.rampart_groups.all.ids["Kiosks"]
}
