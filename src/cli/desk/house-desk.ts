import { follow } from '../../journal/follow.ts'
import { showManipulation } from '../../server/routes/context.ts'
import { showSession } from '../../server/routes/show-session.ts'
import type { House } from '../open-house.ts'
import type { Desk } from './desk.ts'

/** A desk in this process, which has the data folder for itself. */
export function createHouseDesk(house: House): Desk {
  const { folder, journal, sessions } = house
  return {
    folder,
    create: async command => void (await sessions.execute(command)),
    prompt: async command => void (await sessions.execute(command)),
    withdraw: async (session, prompt) => void (await sessions.execute({ type: 'withdraw', session, prompt })),
    answer: async command => void (await sessions.execute(command)),
    interrupt: async session => void (await sessions.execute({ type: 'interrupt', session })),
    async list(filter) {
      const { sessions: found, next } = await sessions.list(filter)
      return { sessions: found.map(showSession), next }
    },
    async head(session) {
      // The journal keeps deleted sessions, too; only the sessions know which they are.
      await sessions.get(session)
      return journal.head(session)
    },
    read: (session, after, limit) => journal.read(session, after, limit),
    follow: (session, after, { signal }) => follow(house, session, after, { signal }),
    workLog: (session, filter) => sessions.workLog(session, filter),
    context: (session, filter) => sessions.context(session, filter),
    async manipulations(session, filter) {
      const { manipulations, next } = await sessions.manipulations(session, filter)
      return { manipulations: manipulations.map(showManipulation), next }
    },
    rollBack: command => sessions.execute(command),
    whenIdle: (session, signal) => sessions.whenIdle(session, signal),
    async trouble(session) {
      return sessions.troubles().find(each => each.session === session) ?? null
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  }
}
