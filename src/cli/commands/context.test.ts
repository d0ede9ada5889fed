import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Context, Manipulation } from '../sessions-api/sessions-api.ts'
import { newFolder } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'
import { savedText, tokensText } from './context.ts'

const linesIn = (out: string) => out.split('\n').filter(Boolean)

async function ranWith(prompt: string) {
  const data = newFolder()
  const { out } = await runHere(['run', '--data', data, '--options', '{"pace":0}', '--json', prompt])
  const session = String((JSON.parse(linesIn(out)[0] ?? '{}') as { session?: string }).session)
  const run = (...args: readonly string[]) => runHere([...args, '--data', data])
  return { data, session, run }
}

describe('dragoman context', () => {
  it('[X8] shows what would be sent, as a preview', async () => {
    const { session, run } = await ranWith('tools')
    const { code, out } = await run('context', session.slice(0, 30))
    expect(code).toBe(0)
    expect(out).toContain('scripted · advisory: This agent keeps its own history and does not accept changes')
    expect(out).toContain('preview of the next request: 2 messages')
    expect(out).toContain('with policy safe')
    expect(out).toContain('Nothing trimmed: the model sees everything.')
    const json = JSON.parse((await run('context', session, '--json')).out) as Context
    expect(json).toMatchObject({ source: 'advisory', request: { seq: null } })
    const part = `${json.request.lastMessage?.split(/[#:]results|#/)[0]}/nothing`
    expect(await run('context', session, '--part', part)).toMatchObject({ code: 1, out: '' })
    expect(await run('context', session, '--step', '1')).toMatchObject({ code: 1 })
    expect(await run('context', session, '--step', 'x')).toMatchObject({ code: 2 })
  })
})

describe('saved tokens in the terminal', () => {
  it('[X8] are shown only if the context got smaller', () => {
    expect(tokensText(3800, 2000)).toBe('2.0k tokens instead of 3.8k (−47 %)')
    expect(tokensText(100, 106)).toBe('106 tokens instead of 100 (+6 %)')
    expect(tokensText(1000, 999)).toBe('999 tokens instead of 1.0k (−<1 %)')
    expect(tokensText(7, 7)).toBe('7 tokens')
    expect(savedText({ tokens: 1800, before: 5600, requests: 3 })).toBe('1.8k of 5.6k tokens in 3 requests')
    expect(savedText({ tokens: 0, before: 100, requests: 1 })).toBe('nothing in 1 request')
  })
})

describe('dragoman manipulations and rollback', { timeout: 60_000 }, () => {
  it('[X4] list and undo context changes, with and without a server', async () => {
    const { data, session, run } = await ranWith('hello')
    expect((await run('manipulations', session)).out).toBe('No context changes.\n')
    const server = await startServer(data)
    const headers = {
      authorization: `Bearer ${readFileSync(join(data, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    }
    const at = `${server.url}/api/sessions/${session}`
    const listed = (await (await fetch(`${at}/interactions`, { headers })).json()) as {
      interactions: { id: string }[]
    }
    const interaction = listed.interactions[0]?.id ?? ''
    const body = JSON.stringify({ by: 'ann', changes: [{ do: 'archive', interaction, reason: 'done with' }] })
    expect((await fetch(`${at}/manipulations`, { method: 'POST', headers, body })).status).toBe(201)
    const { out } = await run('manipulations', session)
    expect(linesIn(out)[0]).toMatch(/^ +\d+ {2}archive → archived, \d+ parts, by person ann: done with \S+$/)
    const [{ id } = { id: '' }] = linesIn((await run('manipulations', session, '--json')).out).map(
      line => JSON.parse(line) as Manipulation,
    )
    const back = await run('rollback', session, id ?? '', '--reason', 'a mistake')
    expect(back.out).toMatch(
      /^Undid 1 change\. Rules no longer change these parts\. To redo: dragoman undo \S+ \S+\n$/,
    )
    server.child.kill('SIGTERM')
    await server.ended
    expect((await run('rollback', session, id ?? '')).out).toContain('Already undone')
    const again = back.out.trim().split(' ').at(-1) ?? ''
    expect((await run('rollback', session, again, '--json')).code).toBe(0)
    expect((await run('manipulations', session, '--kind', 'rolled-back')).out).toContain('a mistake')
    expect((await run('context', session)).out).toMatch(/omitted .* archive: done with · recall \S+/)
    const tail = await run('tail', session)
    expect(tail.out).toContain('archived · done with')
    expect(tail.out).toContain('1 change undone · a mistake')
  })

  it('[O3] refuse unknown options', async () => {
    const { session, run } = await ranWith('hello')
    expect(await run('rollback', session)).toMatchObject({ code: 2 })
    expect(await run('rollback', session, 'm', '--tool', 'Read')).toMatchObject({ code: 2 })
    expect(await run('rollback', session, 'm')).toMatchObject({ code: 1 })
    expect(await run('rollback', session, '--after', '-1')).toMatchObject({ code: 2 })
    expect(await run('manipulations', session, '--kind', 'great')).toMatchObject({ code: 2 })
    expect((await run('rollback', session, '--tool', 'Read')).out).toContain('Already undone')
  })
})
