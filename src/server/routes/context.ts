import type { AuditRow } from '../../catalogue/list-manipulations.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import type { Actor } from '../../protocol/manipulation.ts'
import { exportReply } from '../export-reply.ts'
import { definedIn } from '../../protocol/json.ts'
import type { DeepReadonly } from '../deep-readonly.ts'
import type { Handlers } from './handler.ts'

const page = 100

/** The context of a session, context changes, and undo. */
export const context: Handlers<
  'getContext' | 'listManipulations' | 'manipulate' | 'rollBack' | 'exportInteraction' | 'merge'
> = {
  async getContext({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.context(params.session as SessionId, { limit, ...definedIn(filter) }, { deleted })
  },
  async listManipulations({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    const session = params.session as SessionId
    const found = await sessions.manipulations(session, { limit, ...definedIn(filter) }, { deleted })
    return { ...found, manipulations: found.manipulations.map(showManipulation) }
  },
  manipulate: async ({ sessions }, { params, body }) =>
    sessions.execute({ type: 'manipulate', ...params, ...body }),
  rollBack: async ({ sessions }, { params, body }) =>
    sessions.execute({ type: 'roll-back', ...params, ...body }),
  async exportInteraction(server, { params, query }) {
    const { session, interaction } = params
    return exportReply(server, session as SessionId, interaction as InteractionId, query)
  },
  async merge(server, { params, body }) {
    return server.sessions.execute({ type: 'merge', ...params, ...body })
  },
}

type Shown = DeepReadonly<Replied<'listManipulations'>['manipulations'][number]>

/** A context change in the same shape for all kinds. */
export function showManipulation({ event, ...row }: AuditRow): Shown {
  const facts = { ...row, ...unsaid }
  switch (event.type) {
    case 'manipulation-applied': {
      const { type: _, manipulation: __, before: ___, actor, whole = false, ...rest } = event
      return { ...facts, ...rest, actor: showActor(actor), whole }
    }
    case 'manipulation-rejected': {
      const { type: _, code, why, actor, whole = false, ...rest } = event
      return { ...facts, ...rest, actor: showActor(actor), whole, refusal: { code, why } }
    }
    case 'manipulation-rolled-back': {
      const { actor, reason, manipulations } = event
      return { ...facts, actor: showActor(actor), strategy: 'rollback', reason, manipulations }
    }
    case 'validity-changed': {
      const { target, to, by, reason } = event
      const actor = { kind: 'person', name: by, owner: null } as const
      const { interaction, parts = [] } = target
      return { ...facts, actor, strategy: 'set-validity', to, reason, interactions: [interaction], parts }
    }
  }
}

const unsaid = {
  to: null,
  rendering: null,
  interactions: [],
  parts: [],
  whole: false,
  trigger: null,
  replacedBy: null,
  causedBy: null,
  tokens: null,
  effective: null,
  refusal: null,
  manipulations: [],
}

const showActor = (actor: Actor) =>
  actor.kind === 'tool'
    ? { kind: actor.kind, name: actor.tool, owner: actor.owner }
    : { kind: actor.kind, name: actor.name, owner: null }
