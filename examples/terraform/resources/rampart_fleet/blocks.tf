resource "rampart_fleet" "berlin" {
  unmanaged = "report"

  host {
    id    = "9007199254740993"
    name  = "BER-WEB-01"
    group = "Berlin Servers"
  }

  dynamic "host" {
    for_each = { "1002" = "BER-WEB-03", "1003" = "BER-WEB-02" }
    content {
      id   = host.key
      name = host.value
    }
  }

  rule {
    name   = "kiosks"
    when   = "host.group == \"Kiosks\""
    rename = "KIOSK-$${host.id}"
  }

  policy {
    limits {
      delete = "0"
    }
    protect {
      when = "host.group == \"Berlin Servers\""
      from = ["delete"]
    }
  }
}
