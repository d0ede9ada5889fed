import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { model, person, threeRequests } from './transcript/transcript.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-transcripts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' })

function place(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
  return path
}

const text = threeRequests.join('\n')

describe('bench:context', () => {
  it('[X3] prints the shape of the interfaces, with packed and plain transcripts', () => {
    const path = place('good', { 'a.jsonl.gz': gzipSync(text), 'b.jsonl': text, 'notes.txt': 'no' })
    const { stdout, status } = run('--transcripts', path, '--json')
    const report = JSON.parse(stdout) as { policies: { name: string }[] }
    expect(status).toBe(0)
    expect(report).toMatchObject({ sessions: 2, requests: 6 })
    expect(report.policies.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['off', 'lossless', 'safe', 'balanced', 'aggressive']),
    )
    expect(report.policies[0]).toEqual(
      expect.objectContaining({
        name: 'off',
        messageTokens: expect.any(Number) as number,
        messageTokensSaved: 0,
        costSaved: 0,
        editsLost: 0,
        over160k: 0,
        cacheBreaksPerRequest: 0,
      }),
    )
  })

  it('[X3] reports for each goal whether it is reached', () => {
    const { stdout } = run('--transcripts', place('goals', { 'a.jsonl': text }), '--ours')
    expect(stdout).toMatch(/^safe: tokens −20 %, cost −12 %, .+: missed: tokens −20 %, cost −12 %\.$/m)
    expect(stdout).toMatch(/^balanced: tokens −28 %, cost −16 %, edits lost ≤ 1\.3 %: missed: .+\.$/m)
  })

  it('[X3] explains what to do about a folder that is missing, empty or not given', () => {
    expect(run().stderr).toContain('Say where the transcripts are.')
    expect(run('--transcripts', join(folder, 'nowhere')).stderr).toContain('There is no ')
    const none = run('--transcripts', place('none', { 'a.txt': '' }))
    expect(none.stderr).toContain('holds no transcripts')
    expect(none.status).toBe(2)
  })

  it('[X3] continues after a folder or a broken link with that name, a byte order mark, and a line of only letters', () => {
    const path = place('odd', { 'marked.jsonl': `\uFEFF${text}`, 'plain.jsonl': text })
    mkdirSync(join(path, 'folder.jsonl'))
    symlinkSync(join(path, 'nowhere'), join(path, 'link.jsonl'))
    const letters = [person(0, 'x'.repeat(30_000_000)), model(1, 'm', { type: 'text', text: 'long' })]
    writeFileSync(join(path, 'long.jsonl'), letters.join('\n'))
    const { stdout, stderr, status } = run('--transcripts', path, '--json', '--ours')
    expect(stderr).toContain('folder.jsonl cannot be read: it is a folder.')
    expect(stderr).toMatch(/link\.jsonl cannot be read: ENOENT/)
    expect(stderr).not.toContain('not JSON')
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { sessions: 3, requests: 7 }])
  }, 120_000)

  it('[X3] leaves out broken gzip and lines that are not JSON, and reports it', () => {
    const path = place('broken', {
      'cut.jsonl.gz': gzipSync(text).subarray(0, 200),
      'half.jsonl': `${text}\n{"type":"ass`,
    })
    const { stdout, stderr, status } = run('--transcripts', path, '--ours')
    expect(stderr).toContain('cut.jsonl.gz is broken gzip: copy it again')
    expect(stderr).toContain('1 line is not JSON')
    expect(stdout).toContain('1 session, 3 requests')
    expect(status).toBe(0)
  })

  it('[X3] refuses transcripts without a request', () => {
    const { stderr, status } = run('--transcripts', place('void', { 'a.jsonl': '{"type":"summary"}\n' }))
    expect(stderr).toContain('is a transcript with a model request in it')
    expect(status).toBe(2)
  })
})
