const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A date, or a date and a time, in RFC 3339; a text without a time zone is UTC. Any other text is returned as it is, so
 * that the conversion reports it.
 */
export function timeText(text: string): string {
  const [, date, time = '00:00:00', zone = 'Z'] = form.exec(text) ?? [];
  return date === undefined ? text : `${date}T${time.length === 5 ? `${time}:00` : time}${zone}`;
}
