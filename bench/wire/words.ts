import { wordAt } from './firehose.ts'
import type { ReadTold } from './read-asked.ts'
import type { Served } from './server-asked.ts'

/** Refuses a reading in which words are missing or doubled. */
export function refuseIncomplete({ characters }: ReadTold, streams: number, words: number): void {
  const each = Array.from({ length: words }, (_, at) => wordAt(at).length).reduce((sum, one) => sum + one, 0)
  if (characters !== each * streams) throw new Error(`Of ${each * streams} characters ${characters} came.`)
}

/** The headers of a program that may call our server. */
export const headersFor = ({ token }: Served): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

/** A new session of the firehose that starts to write this many words after a while. */
export async function startTalking(served: Served, words: number, afterMs: number): Promise<string> {
  const id = crypto.randomUUID()
  const post = async (path: string, body: object) => {
    const response = await fetch(served.url + path, {
      method: 'POST',
      headers: headersFor(served),
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} gave ${response.status}: ${await response.text()}`)
  }
  await post('/api/sessions', { id, agent: 'firehose' })
  await post(`/api/sessions/${id}/prompts`, { text: `${words}@${afterMs}` })
  return id
}
