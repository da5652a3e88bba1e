data "rampart_custom_field_categories" "all" {}

output "categories" {
  value = data.rampart_custom_field_categories.all.categories[*].name
}
