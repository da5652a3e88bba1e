output "name" {
  value = provider::rampart::format_host_name("{site}-{role}", { site = "BER", role = "DB" })
}
