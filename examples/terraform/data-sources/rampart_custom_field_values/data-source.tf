data "rampart_custom_field_values" "all" {}

output "sites" {
  value = { for id, fields in data.rampart_custom_field_values.all.values : id => lookup(fields, "Site", null) }
}
