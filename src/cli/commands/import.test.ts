import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../store/open-store.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const session = '11111111-2222-4333-8444-555555555555'

const line = (type: 'user' | 'assistant', text: string) => {
  const content = [{ type: 'text', text }]
  const uuid = createHash('sha256').update(text).digest('hex').slice(0, 32)
  const message = { id: uuid, role: type, content, ...(type === 'assistant' && { usage: {}, model: 'm' }) }
  const timestamp = '2026-02-03T04:05:06.000Z'
  const frame = { parentUuid: null, isSidechain: false, sessionId: session, cwd: '/work', uuid, timestamp }
  return `${JSON.stringify({ type, message, ...frame })}\n`
}

function place(name: string, content: string) {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const file = join(home, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return { home, file, data: join(home, 'data') }
}

const usual = `.claude/projects/-work/${session}.jsonl`

describe('[A15] dragoman import', () => {
  it('finds transcripts in the home folder, adds nothing twice, and adds new content later', async () => {
    const { home, file, data } = place(usual, line('user', 'Hello') + line('assistant', 'Hi.'))
    const run = () => runHere(['import', '--data', data], { env: { HOME: home } })
    const first = await run()
    expect(first.out).toBe(
      '1 transcript: 1 new. 2 lines added, 0 lines skipped, 0 files could not be read.\n',
    )
    expect((await run()).out).toMatch('1 unchanged. 0 lines added')
    appendFileSync(file, line('user', 'More?'))
    expect((await run()).out).toMatch('1 grown. 1 line added')
    const { out } = await runHere(['sessions', '--json', '--data', data])
    expect(JSON.parse(out)).toMatchObject({ id: session, agent: 'claude-code', title: 'Hello' })
    expect(JSON.parse(out).updatedAt).toBe(Date.parse('2026-02-03T04:05:06.000Z'))
    expect((await runHere(['rebuild', session, '--data', data])).out).toMatch('No differences')
    expect((await runHere(['verify', '--data', data])).code).toBe(0)
  })

  it('names malformed lines with file and line, and still exits with 0', async () => {
    const { file, data } = place(`x/${session}.jsonl`, `${line('user', 'Hello')}nonsense\n`)
    const { code, err, out } = await runHere(['import', file, '--data', data])
    expect(code).toBe(0)
    expect(err).toMatch(`warning ${file}:2: This is a line that is no JSON`)
    expect(out).toMatch('1 line added, 1 line skipped, 0 files')
  })

  it('exits with 1 when a file cannot be read, and imports the others', async () => {
    const { home, data } = place(`x/${session}.jsonl`, line('user', 'Hello'))
    writeFileSync(join(home, 'x/torn.jsonl.gz'), 'no gzip at all')
    const missing = await runHere(['import', join(home, 'nowhere'), '--data', data])
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/nowhere: No such file or folder\. Check the path, or leave it out/),
    ])
    expect(missing.err).not.toMatch('ENOENT')
    const strange = await runHere(['import', join(home, 'x/torn.jsonl.gz'), '--data', data])
    expect(strange.code).toBe(1)
    const folder = await runHere(['import', join(home, 'x'), '--data', data, '--json'])
    expect(folder.code).toBe(1)
    const lines = folder.out.trim().split('\n')
    expect(lines[0]).toMatch('torn.jsonl.gz')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ transcripts: 1, lines: 1, failed: 1 })
  })

  it('imports the complete part of a damaged file, and names where it ends', async () => {
    const words = Array.from({ length: 400 }, (_, at) => line('user', `Hello ${at} ${crypto.randomUUID()}`))
    const { home, file, data } = place(`x/${session}.jsonl.gz`, '')
    const packed = gzipSync(words.join(''))
    writeFileSync(file, packed.subarray(0, packed.length / 2))
    const { code, err, out } = await runHere(['import', join(home, 'x'), '--data', data])
    expect(code).toBe(1)
    expect(err).toMatch(/error .*\.jsonl\.gz:\d+: It is damaged from here on: unexpected end of file/)
    expect(out).toMatch(/1 new\. \d+ lines added, .* 1 file could not be read/)
    writeFileSync(file, packed)
    expect((await runHere(['import', file, '--data', data])).out).toMatch(
      /1 grown\. \d+ lines added, 0 lines/,
    )
    expect((await runHere(['sessions', '--json', '--data', data])).out).toMatch('"Hello 0 ')
  })

  it('[A18] imports a line over 4 MiB with its long text cut, and keeps and names a line that is not JSON', async () => {
    const long = `${line('user', 'Hello')}${line('assistant', 'y'.repeat(5_000_000))}`
    const { file, data } = place(`x/${session}.jsonl`, `${long}${'z'.repeat(5_000_000)}\n`)
    const { err, out } = await runHere(['import', file, '--data', data])
    expect(err).toMatch(`warning ${file}:3: The line is too long to translate. The original is saved.`)
    expect(err).not.toMatch(`${file}:2`)
    expect(out).toMatch('3 lines added, 1 line skipped')
    const { out: entries } = await runHere(['tail', session.slice(0, 8), '--json', '--data', data])
    expect(entries).toMatch('cut here by Dragoman')
  })

  it('reads only the transcripts of the named agent, and refuses an agent without transcripts', async () => {
    const { home, data } = place(usual, line('user', 'Hello'))
    const env = { HOME: home }
    expect((await runHere(['import', '--agent', 'codex', '--data', data], { env })).out).toMatch(
      'No transcripts found.',
    )
    const scripted = await runHere(['import', '--agent', 'scripted', '--data', data], { env })
    expect([scripted.code, scripted.err]).toEqual([2, expect.stringMatching('claude-code, codex')])
  })

  it('says what to do while the data folder is in use, and changes nothing', async () => {
    const { home, data } = place(usual, line('user', 'Hello'))
    await using store = await openStore({ folder: data, command: 'serve' })
    const { code, err } = await runHere(['import', '--data', data], { env: { HOME: home } })
    expect([code, err]).toEqual([1, expect.stringMatching('Stop it, or choose another folder')])
    await expect(store.journal.head(session as never)).rejects.toMatchObject({ code: 'unknown-session' })
  })

  it('[O1] goes through the running server, with the same report', { timeout: 60_000 }, async () => {
    const { home, file, data } = place(usual, `${line('user', 'Hello')}nonsense\n`)
    const { child, ended } = await startServer(data)
    const env = { HOME: '/nowhere' }
    const { code, out, err } = await runHere(['import', dirname(file), '--data', data], { env })
    expect([code, out]).toEqual([
      0,
      '1 transcript: 1 new. 1 line added, 1 line skipped, 0 files could not be read.\n' +
        '  1 × This is a line that is no JSON.\n',
    ])
    expect(err).toMatch(`warning ${file}:2: This is a line that is no JSON`)
    appendFileSync(file, line('user', 'More?'))
    const grown = await runHere(['import', file, '--json', '--data', data], { env })
    const [first = '', second = '', sums = ''] = grown.out.trim().split('\n')
    expect(JSON.parse(first)).toMatchObject({ skipped: { file, line: 2 } })
    const imported = { agent: 'claude-code', file, session, outcome: 'grown', lines: 1 }
    expect(JSON.parse(second)).toEqual(imported)
    expect(JSON.parse(sums)).toMatchObject({ transcripts: 1, lines: 1, skipped: 1, failed: 0 })
    const nothing = await runHere(['import', '--agent', 'codex', '--data', data], { env })
    expect(nothing.out).toBe('No transcripts found.\n')
    const missing = await runHere(['import', join(home, 'nowhere'), '--data', data], { env })
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('No such file or folder.')])
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    expect((await runHere(['verify', '--data', data])).code).toBe(0)
  })

  it('[R2] refuses a flat array whose items are not messages, and accepts a byte order mark', async () => {
    const { data, file, home } = place('legacy.json', '')
    const run = async (text: string) => {
      writeFileSync(file, text)
      return runHere(['import', '--data', data, '--legacy', file], { env: { HOME: home } })
    }
    for (const text of [
      '[null]',
      '[1]',
      '["a"]',
      '[{"role":"user","content":"x"},{}]',
      '{"messages":[[]]}',
    ]) {
      const { code, err, out } = await run(text)
      expect([text, code, out]).toEqual([text, 2, ''])
      expect(err).toMatch(/Item \d in .*legacy\.json is not a message\./)
    }
    expect((await run('\uFEFF[{"role":"user","content":"hello"}]')).code).toBe(0)
  })

  it('[R2] accepts a transcript with a byte order mark', async () => {
    const { home, data } = place(usual, `\uFEFF${line('user', 'Hello')}${line('assistant', 'Hi.')}`)
    const { out } = await runHere(['import', '--data', data], { env: { HOME: home } })
    expect(out).toMatch('1 new. 2 lines added, 0 lines skipped')
  })
})
