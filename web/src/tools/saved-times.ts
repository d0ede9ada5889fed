import { askedOnce } from '../ui/asked-once.ts'

/** How long calls took in milliseconds, by call. */
type SavedTimes = ReadonlyMap<string, number>

const newest = { limit: '100' }

/** How long the newest calls of a session took, as the server knows it. */
export const savedTimes = askedOnce<SavedTimes>(new Map(), async (client, session) => {
  const { entries } = await client.call('GET /api/sessions/:session/work-log', {
    params: { session },
    query: newest,
  })
  return new Map(
    entries.flatMap(({ toolCallId, duration }) => (duration === null ? [] : [[toolCallId, duration]])),
  )
})
