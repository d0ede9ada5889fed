import type { WorkPage } from '../../catalogue/list-work.ts'
import type { Replied, Sent } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { wait } from '../../sessions/wait.ts'
import type { SessionsApi, Session, SessionFilter } from './sessions-api.ts'
import { followServer } from './follow-server.ts'
import type { ServerLine } from './server-line.ts'

const lookMs = 300
const longestList = 500
const longestPage = 10_000
const beyondAll = '999999999999999'

/** Works on sessions through the server that owns the data folder. */
export function createServerApi(folder: string, line: ServerLine): SessionsApi {
  const details = (session: SessionId, signal?: AbortSignal) =>
    line.attempt(
      caller => caller.call('getSession', { params: { session } }, signal && { signal }),
      signal && { signal },
    )
  const entries = (session: SessionId, after: string, limit: number) => {
    const query = { after, limit: String(Math.min(limit, longestPage)), raw: '1' } as const
    return line.attempt(caller => caller.call('listEntries', { params: { session }, query }))
  }
  return {
    folder,
    create: ({ type: _type, session: id, ...rest }) => createOnce(line, { id, ...rest }),
    async configure(session, options) {
      await line.attempt(caller => caller.call('changeSession', { params: { session }, body: { options } }))
    },
    async prompt({ session, prompt: id, parts }) {
      await line.attempt(caller => caller.call('prompt', { params: { session }, body: { id, parts } }))
    },
    async withdraw(session, prompt) {
      await line.attempt(caller => caller.call('withdrawPrompt', { params: { session, prompt } }))
    },
    async answer({ type: _type, session, approval, ...body }) {
      await line.attempt(caller => caller.call('answerApproval', { params: { session, approval }, body }))
    },
    async interrupt(session) {
      await line.attempt(caller => caller.call('interrupt', { params: { session } }))
    },
    list: filter => listAll(line, filter),
    search: ({ query: q, cursor, limit }) =>
      line.attempt(caller =>
        caller.call('GET /api/search', {
          query: { q, limit: String(limit), ...(cursor !== undefined && { cursor }) },
        }),
      ),
    head: async session => (await entries(session, beyondAll, 1)).head,
    read: async (session, after, limit) =>
      (await entries(session, String(after), limit)).entries as readonly unknown[] as readonly Entry[],
    follow: (session, after, options) => followServer(line, session, after, options),
    async workLog(session, { limit, ...filter }) {
      const query = { ...filter, limit: String(limit) }
      const page = await line.attempt(caller =>
        caller.call('GET /api/sessions/:session/work-log', { params: { session }, query }),
      )
      return page as WorkPage
    },
    context(session, { limit, step, ...filter }) {
      const query = { ...filter, limit: String(limit), ...(step !== undefined && { step: String(step) }) }
      return line.attempt(caller =>
        caller.call('GET /api/sessions/:session/context', { params: { session }, query }),
      )
    },
    manipulations(session, { limit, before, ...filter }) {
      const query = {
        ...filter,
        limit: String(limit),
        ...(before !== undefined && { before: String(before) }),
      }
      return line.attempt(caller =>
        caller.call('GET /api/sessions/:session/manipulations', { params: { session }, query }),
      )
    },
    rollBack: ({ type: _type, session, ...body }) =>
      line.attempt(caller =>
        caller.call('POST /api/sessions/:session/manipulations/rollback', { params: { session }, body }),
      ),
    usage: query => line.attempt(caller => caller.call('GET /api/usage', { query })),
    async whenIdle(session, signal) {
      try {
        while (!isIdle(await details(session, signal))) await wait(lookMs, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    trouble: async session => (await details(session)).trouble,
    async [Symbol.asyncDispose]() {},
  }
}

/** On a retry after a lost reply, the session may exist already: then it is ours. */
async function createOnce(line: ServerLine, body: Sent<'createSession'>['body']): Promise<void> {
  let asked = 0
  await line.attempt(async caller => {
    asked += 1
    try {
      await caller.call('createSession', { body })
    } catch (error) {
      if (asked === 1 || !isDragomanError(error, 'session-exists')) throw error
    }
  })
}

/** The page size of the server. More sessions are loaded page by page. */
async function listAll(line: ServerLine, { archived, limit, ...filter }: SessionFilter) {
  const sessions: Session[] = []
  let next: string | null = filter.cursor ?? null
  do {
    const query: Sent<'listSessions'>['query'] = {
      ...filter,
      archived: archived === true ? '1' : '0',
      limit: String(Math.min(limit - sessions.length, longestList)),
      ...(next !== null && { cursor: next }),
    }
    const page = await line.attempt(caller => caller.call('listSessions', { query }))
    sessions.push(...page.sessions)
    next = page.next
  } while (next !== null && sessions.length < limit)
  return { sessions, next }
}

/** Whether nothing runs and nothing will start. Held prompts wait for a person. */
const isIdle = ({ running, queue }: Replied<'getSession'>) =>
  running === null && queue.every(({ held }) => held)
