output "site" {
  value = provider::rampart::parse_host_name("BER-WEB-01", "{site}-{role}-{number}").site
}
