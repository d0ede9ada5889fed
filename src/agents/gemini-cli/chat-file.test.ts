import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { chatFiles, followChat, minuteOf, sessionIn, type ChatFile } from './chat-file.ts'

const session = '0123abcd-1111-2222-3333-444455556666'
const header = { sessionId: session, projectHash: 'h' }
const line = (value: Json) => `${JSON.stringify(value)}\n`
const message = (id: string, more: Record<string, Json> = {}) => ({ id, type: 'gemini', ...more })

async function newHome() {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-gemini-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, '.gemini/tmp/project/chats')
  await mkdir(folder, { recursive: true })
  return { home, file: join(folder, 'session-2026-11-15T02-38-0123abcd.jsonl'), folder }
}
const news = async (chat: ChatFile) => (await chat.news()).map(({ raw }) => JSON.parse(raw) as Json)

describe('the file of a chat', () => {
  it('[A7] gives what was added, whole lines only, once', async () => {
    const { home, file } = await newHome()
    const chat = await followChat(home, session, true)
    expect(await news(chat)).toEqual([])
    await writeFile(file, line(header) + line({ $set: { a: 1 } }) + line(message('m', { content: 'ü' })))
    expect(await news(chat)).toEqual([header, message('m', { content: 'ü' })])
    const next = line(message('n'))
    await appendFile(file, next.slice(0, 9))
    expect(await news(chat)).toEqual([])
    await appendFile(file, next.slice(9))
    expect(await news(chat)).toEqual([message('n')])
    expect(await news(chat)).toEqual([])
  })

  it('[P9] of a resumed session gives only new lines, from any of its files', async () => {
    const { home, file, folder } = await newHome()
    await writeFile(file, line(header) + line(message('old')))
    const chat = await followChat(home, session, false)
    await appendFile(file, line(message('new')))
    await writeFile(join(folder, 'session-2026-11-15T03-00-0123abcd.jsonl'), line(header))
    await writeFile(join(folder, 'session-2026-11-15T03-00-99999999.jsonl'), line(message('of another')))
    expect(await news(chat)).toEqual([message('new'), header])
    expect(await chatFiles(home, session)).toHaveLength(2)
  })

  it('[A7] repeats no call that it gave, and gives one that no other message has', async () => {
    const { home, file } = await newHome()
    const chat = await followChat(home, session, true)
    const [one, two] = [
      { id: 'c1', status: 'success' },
      { id: 'c2', status: 'success' },
    ]
    const response = (id: string) => ({ functionResponse: { id, response: {} } })
    const user = (...ids: readonly string[]) => ({ id: 'u', type: 'user', content: ids.map(response) })
    await writeFile(file, line(message('m', { toolCalls: [one] })) + line(user('c1')))
    expect(await news(chat)).toEqual([message('m', { toolCalls: [one] })])
    await appendFile(
      file,
      line(message('m', { toolCalls: [one, two] })) + line(user('c2')) + line(user('c3')),
    )
    expect(await news(chat)).toEqual([message('m', { toolCalls: [two] }), user('c3')])
  })

  it('[R2] that is missing, garbled or gone does no harm', async () => {
    const { home, file } = await newHome()
    const chat = await followChat(home, session, true)
    await writeFile(file, 'no json\n[1]\n{}\n\n')
    expect(await news(chat)).toEqual([])
    await rm(file)
    expect(await news(chat)).toEqual([])
    expect(await news(await followChat(join(home, 'nowhere'), session, false))).toEqual([])
  })

  it('[A18] gives the usage of a message of any length, with its long text cut', async () => {
    const { home, file } = await newHome()
    const chat = await followChat(home, session, true)
    const tokens = { input: 7, output: 9 }
    await writeFile(file, line(message('m', { content: 'x'.repeat(5_000_000), tokens })))
    const content = expect.stringContaining('MB cut here by Dragoman') as unknown
    expect(await news(chat)).toMatchObject([{ id: 'm', tokens, content }])
  })

  it('[P9] names its minute, and an answer its session', () => {
    expect(minuteOf('/x/session-2026-11-15T02-38-0123abcd.jsonl')).toBe('2026-11-15T02-38')
    expect(minuteOf('/x/other.jsonl')).toBeUndefined()
    expect(sessionIn({ id: 1, result: { sessionId: 's' } })).toBe('s')
    expect(sessionIn({ method: 'session/update', params: { sessionId: 's' } })).toBeUndefined()
  })
})
