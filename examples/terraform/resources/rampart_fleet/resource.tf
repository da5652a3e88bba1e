resource "rampart_fleet" "all" {
  content = <<-YAML
    version: 1
    hosts:
      - { id: 9007199254740993, name: BER-WEB-01, group: Berlin Servers }
      - { id: 1002, name: BER-WEB-03 }
      - { id: 1003, name: BER-WEB-02 }
    rules:
      - { name: kiosks, when: 'host.group == "Kiosks"', antivirus: installed }
  YAML
}

output "summary" {
  value = rampart_fleet.all.summary
}
