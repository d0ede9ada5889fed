import type { Command } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { definedIn, isObject, type Json } from '../../protocol/json.ts'
import type { ServerParts } from '../server-parts.ts'
import { openSessionsStream } from '../streams/sessions-stream.ts'
import type { Handlers } from './handler.ts'
import { showDetails, showSessions } from './show-session.ts'

const pageOfSessions = 50

/** Calls that create, find, change and delete sessions. */
export const sessions: Handlers<
  'createSession' | 'listSessions' | 'watchSessions' | 'getSession' | 'changeSession' | 'deleteSession'
> = {
  async createSession(server, { body }) {
    const { id, ...rest } = body
    const { defaultAgent, defaultFolder: cwd } = server.options
    const agent = body.agent ?? (await defaultAgent())
    const { session } = await server.sessions.execute({
      type: 'create',
      session: id,
      agent,
      cwd,
      ...defaultOptions(server, agent),
      ...definedIn(rest),
    })
    return detailsOf(server, session)
  },
  async listSessions(server, { query }) {
    const { limit = pageOfSessions, ...filter } = query
    return showSessions(server, { ...definedIn(filter), limit })
  },
  watchSessions: async server => openSessionsStream(server),
  async getSession(server, { params, query }) {
    const { deleted = false } = query
    return detailsOf(server, params.session, deleted)
  },
  async changeSession(server, { params, body }) {
    const { session } = params
    const { deleted, archived, pinned, agent, options, title } = body
    // Changes that may be refused come first, so that a refused call leaves little half done.
    const wishes: readonly (Command | false)[] = [
      deleted === false && { type: 'undelete', session },
      agent !== undefined && { type: 'assign', session, agent, ...definedIn({ options }) },
      agent === undefined &&
        options !== undefined && { type: 'configure', session, options: changesIn(options) },
      archived === false && { type: 'restore', session },
      pinned !== undefined && { type: pinned ? 'pin' : 'unpin', session },
      title !== undefined && { type: 'rename', session, title },
      archived === true && { type: 'archive', session },
    ]
    for (const wish of wishes) if (wish !== false) await server.sessions.execute(wish)
    return detailsOf(server, session)
  },
  async deleteSession(server, { params }) {
    return server.sessions.execute({ type: 'delete', session: params.session })
  },
}

/** Some options. With an agent, they replace all; alone, they change those that are named. */
function changesIn(options: Json): Readonly<Record<string, Json>> {
  if (isObject(options)) return options
  throw new DragomanError(
    'invalid-input',
    'The field "options" must be an object. Set an option to null to remove it.',
  )
}

/** The options that a person chose for new sessions of an agent. */
export function defaultOptions({ preferences }: ServerParts, agent: string): { readonly options?: Json } {
  const options = preferences.current().options?.[agent]
  return options === undefined ? {} : { options }
}

/** The session after a change. */
export async function detailsOf({ sessions: all }: ServerParts, session: string, deleted = false) {
  return showDetails(await all.get(session as SessionId, { deleted }), all)
}
