import type { HostId } from '../../../core/model/observed.ts';
import { requestConnection } from '../../../service/wire/request-connection.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { connectedHost } from '../host/schema.ts';
import { kit, toDiagnostics, withService } from '../service.ts';

export const connectionTicket = kit.ephemeral({
  schema: defineSchema({
    description:
      'A ticket for one remote session with a host. It is stored nowhere. Terraform opens one ticket in the plan and another in the apply.',
    attributes: {
      host_id: connectedHost,
      direct_link: {
        type: 'bool',
        optional: true,
        computed: true,
        description:
          'Whether the link connects without a browser extension. With false, the link opens a page that offers both ways. Default: true.',
      },
      fail_when_in_session: {
        type: 'bool',
        optional: true,
        computed: true,
        description:
          'Fail if someone is already connected to the host. Default: true, so that a plan does not disturb anyone.',
      },
      gateway_url: {
        type: 'string',
        computed: true,
        nonNull: true,
        sensitive: true,
        description: 'The link to connect with. Anyone who has the link can connect.',
      },
      session_ticket_id: {
        type: 'string',
        computed: true,
        nonNull: true,
        sensitive: true,
        description: "The ticket's number.",
      },
    },
  }),
  open: ({ host_id, direct_link, fail_when_in_session }, call) =>
    withService(call, async ({ session }) => {
      const intent = { directLink: direct_link ?? true, failWhenInSession: fail_when_in_session ?? true };
      const ticket = await requestConnection(session.client, host_id as HostId, intent);
      if (!ticket.ok) return { diagnostics: toDiagnostics(ticket.problems, ['host_id']) };
      return {
        state: {
          host_id,
          direct_link: intent.directLink,
          fail_when_in_session: intent.failWhenInSession,
          gateway_url: ticket.value.gatewayUrl,
          session_ticket_id: ticket.value.sessionTicketId,
        },
      };
    }),
});
