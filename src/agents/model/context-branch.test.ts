import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openHouse } from '../../sessions/house.fixture.ts'
import { startFakeOpenAiChat, type Piece } from '../../testing/fake-openai-chat.ts'
import { model } from './index.ts'
import { newFolder } from './harness.fixture.ts'

const call = (id: string, name: string, input: object): Piece => ({ call: id, name, input: input as never })

/** A model that reads a file twice, then asks for the second again by the name in its reference. */
async function readTwice() {
  const cwd = await newFolder()
  const text = Array.from({ length: 30 }, (_, at) => `line number ${at + 1} of the file`).join('\n')
  await writeFile(join(cwd, 'a.txt'), text)
  const fake = await startFakeOpenAiChat(({ before, body }) => {
    if (before < 2) return { pieces: [call(`c${before}`, 'read', { path: 'a.txt' })] }
    const name = /same as [^"]*, (\w+)\]/.exec(JSON.stringify(body['messages']))?.[1] ?? 'none'
    return { pieces: before === 2 ? [call('c2', 'recall', { name })] : ['Thanks.'] }
  })
  const house = await openHouse([model], { dataFolder: await newFolder() })
  const options = { provider: 'openai-compatible', baseUrl: fake.url, model: 'small' } as Json
  const { session } = await house.sessions.execute({
    type: 'create',
    agent: 'model',
    cwd,
    options,
  })
  const ask = async (where: SessionId, prompt: string) => {
    await house.prompt(where, prompt)
    await house.sessions.whenIdle(where)
    const messages = (fake.requests.at(-1)?.body['messages'] ?? []) as { role: string; content: unknown }[]
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.stringify(content)] : []))
  }
  return { fake, house, session, ask }
}

describe('a model that reads a file twice', () => {
  it('[X6] recalled content is sent whole, not as a reference again', async () => {
    const { fake, session, ask } = await readTwice()
    await using _ = fake
    const [first, second, recalled] = await ask(session, 'Go')
    expect(first).toContain('line number 30')
    expect(second).toContain('same as')
    expect(recalled).toContain('line number 30')
  })

  it('[X4] a context change that a person rolled back in a branch is not made there again by the same rule', async () => {
    const { fake, house, session, ask } = await readTwice()
    await using _ = fake
    await ask(session, 'Go')
    const { messages } = await house.sessions.messages(session, { thread: null, limit: 10 })
    const message = messages.at(-1)?.message.id ?? ''
    const { session: branch } = await house.sessions.execute({ type: 'branch', session, message })
    await house.sessions.execute({ type: 'roll-back', session: branch, after: 0 })
    const [first, second] = await ask(branch, 'And now?')
    expect([first, second].every(each => each?.includes('line number 30'))).toBe(true)
    const { manipulations } = await house.sessions.manipulations(branch, { limit: 100 })
    expect(manipulations.filter(({ kind, holds }) => kind === 'applied' && holds)).toEqual([])
  })
})
