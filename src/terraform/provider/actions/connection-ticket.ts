import type { HostId } from '../../../core/model/observed.ts';
import { defineSchema, matching } from '../../protocol/schema/schema.ts';
import { connectedHost } from '../host/schema.ts';
import { kit, withService } from '../service.ts';

export const connectionTicketAction = kit.action({
  schema: defineSchema({
    description:
      'Requests a ticket for one remote session with a host, and writes it to a file. Terraform neither stores nor prints the ticket. To use a ticket inside a configuration, use the ephemeral resource `rampart_connection_ticket`.',
    attributes: {
      host_id: connectedHost,
      file: {
        type: 'string',
        required: true,
        description:
          'The file that receives the ticket as JSON, with the keys `gateway_url` and `session_ticket_id`. Only you can read the file. An earlier ticket is replaced. Any other file there is kept, and the action fails. Anyone who has the link can connect.',
        validate: [matching(/\S/, 'not blank')],
      },
      direct_link: {
        type: 'bool',
        optional: true,
        description:
          'Whether the link connects without a browser extension. With false, the link opens a page that offers both ways. Default: true.',
      },
      fail_when_in_session: {
        type: 'bool',
        optional: true,
        description: 'Fail if someone is already connected to the host. Default: true.',
      },
    },
  }),
  invoke: ({ host_id, file, direct_link, fail_when_in_session }, call) =>
    withService(call, async (service) =>
      (await import('./request-ticket.ts')).requestTicket(
        service,
        {
          host: host_id as HostId,
          file,
          directLink: direct_link ?? true,
          failWhenInSession: fail_when_in_session ?? true,
        },
        call,
      ),
    ),
});
