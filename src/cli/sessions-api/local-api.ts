import type { Usage, UsageQuery } from '../../client/usage/index.ts'
import { usageQuery } from '../../protocol/api/usage.ts'
import { checkInput } from '../../protocol/check-input.ts'
import { follow } from '../../journal/follow.ts'
import { showManipulation } from '../../server/routes/context.ts'
import { showSessions } from '../../server/routes/show-session.ts'
import type { LocalStore } from '../open-local-store.ts'
import type { SessionsApi } from './sessions-api.ts'

const progressMs = 200
/** The same report as that of a server. The code for it is loaded only now. */
async function readUsage(store: LocalStore, query: UsageQuery): Promise<Usage> {
  const { reportUsage } = await import('../../server/usage/report-usage.ts')
  const checked = checkInput(usageQuery, query, { whole: 'The query', piece: 'The option' })
  return (await reportUsage({ ...store, now: Date.now }, checked)) as Usage
}

/** Works on sessions in this process, which owns the data folder. */
export function createLocalApi(store: LocalStore): SessionsApi {
  const { folder, journal, sessions, search } = store
  return {
    folder,
    create: async command => void (await sessions.execute(command)),
    configure: async (session, options) =>
      void (await sessions.execute({ type: 'configure', session, options })),
    prompt: async command => void (await sessions.execute(command)),
    withdraw: async (session, prompt) => void (await sessions.execute({ type: 'withdraw', session, prompt })),
    answer: async command => void (await sessions.execute(command)),
    interrupt: async session => void (await sessions.execute({ type: 'interrupt', session })),
    list: filter => showSessions(store, filter),
    async search(wish, onBehind) {
      search.start()
      do {
        await search.settle(progressMs)
        onBehind(await search.behind())
      } while (search.isBusy())
      return search.find(wish)
    },
    async head(session) {
      // The journal also has deleted sessions, so ask the sessions first.
      await sessions.get(session)
      return journal.head(session)
    },
    read: (session, after, limit) => journal.read(session, after, limit),
    follow: (session, after, { signal }) => follow(store, session, after, { signal }),
    workLog: (session, filter) => sessions.workLog(session, filter),
    context: (session, filter) => sessions.context(session, filter),
    async manipulations(session, filter) {
      const { manipulations, next } = await sessions.manipulations(session, filter)
      return { manipulations: manipulations.map(showManipulation), next }
    },
    rollBack: command => sessions.execute(command),
    usage: query => readUsage(store, query),
    whenIdle: (session, signal) => sessions.whenIdle(session, signal),
    async trouble(session) {
      return sessions.troubles().find(each => each.session === session) ?? null
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
