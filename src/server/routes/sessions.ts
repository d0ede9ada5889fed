import type { Command } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { given } from '../given.ts'
import type { House } from '../house.ts'
import { openSessionsStream } from '../streams/sessions-stream.ts'
import type { Handlers } from './handler.ts'
import { showDetails, showSession } from './show-session.ts'

const pageOfSessions = 50

/** Sessions: made, found, changed, put away. */
export const sessions: Handlers<
  'createSession' | 'listSessions' | 'watchSessions' | 'getSession' | 'changeSession' | 'deleteSession'
> = {
  async createSession(house, { body }) {
    const { id, ...rest } = body
    const { defaultAgent: agent, defaultFolder: cwd } = house.options
    const { session } = await house.sessions.execute({
      type: 'create',
      session: id,
      agent,
      cwd,
      ...given(rest),
    })
    return detailsOf(house, session)
  },
  async listSessions(house, { query }) {
    const { limit = pageOfSessions, ...filter } = query
    const { sessions: found, next } = await house.sessions.list({ ...given(filter), limit })
    return { sessions: found.map(showSession), next }
  },
  watchSessions: async house => openSessionsStream(house),
  async getSession(house, { params, query }) {
    const { deleted = false } = query
    return showDetails(await house.sessions.get(params.session as SessionId, { deleted }))
  },
  async changeSession(house, { params, body }) {
    const { session } = params
    const { deleted, archived, agent, options, title } = body
    if (options !== undefined && agent === undefined)
      throw new DragomanError('invalid-input', 'Options belong to an agent. Set "agent", too.')
    // What can be refused comes first, so that a refused change leaves little half done.
    const wishes: readonly (Command | false)[] = [
      deleted === false && { type: 'undelete', session },
      agent !== undefined && { type: 'assign', session, agent, ...given({ options }) },
      archived === false && { type: 'restore', session },
      title !== undefined && { type: 'rename', session, title },
      archived === true && { type: 'archive', session },
    ]
    for (const wish of wishes) if (wish !== false) await house.sessions.execute(wish)
    return detailsOf(house, session)
  },
  async deleteSession(house, { params }) {
    return house.sessions.execute({ type: 'delete', session: params.session })
  },
}

/** The session after something was done in it. */
export const detailsOf = async (house: House, session: string) =>
  showDetails(await house.sessions.get(session as SessionId, {}))
