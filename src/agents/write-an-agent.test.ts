import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = ['docs/write-an-agent.md', 'docs/write-a-store.md']
  .map(file => readFileSync(join(root, file), 'utf8'))
  .join('\n')
const folder = createProject()
const env = {
  ...process.env,
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
  NODE_OPTIONS: '',
}

afterAll(() => rmSync(folder, { recursive: true }))

/** A separate project with the files of the page, which imports the package by its doors. */
function createProject(): string {
  const made = mkdtempSync(join(tmpdir(), 'dragoman-parrot-'))
  mkdirSync(join(made, 'bin'))
  for (const [, name = '', code = ''] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    writeFileSync(join(made, name === 'parrot' ? 'bin/parrot' : name), code)
  chmodSync(join(made, 'bin/parrot'), 0o755)
  writeFileSync(join(made, 'bin/package.json'), '{"type":"commonjs"}')
  const installed = join(made, 'node_modules/dragoman')
  mkdirSync(installed, { recursive: true })
  symlinkSync(join(root, 'src'), join(installed, 'src'))
  symlinkSync(join(root, 'node_modules/@types'), join(made, 'node_modules/@types'))
  const ours = readFileSync(join(root, 'package.json'), 'utf8')
  writeFileSync(join(installed, 'package.json'), ours.replaceAll(/\.\/dist\/(.*)\.js"/g, './src/$1.ts"'))
  writeFileSync(join(made, 'package.json'), '{"type":"module"}')
  return made
}

/** Runs Node in the project, and returns its exit code and its output. */
const node = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string }>(resolve => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    )
  })

it('[A1] the adapter of docs/write-an-agent.md has about 40 lines and imports only the doors of the package', () => {
  const adapter = readFileSync(join(folder, 'parrot.ts'), 'utf8')
  expect(adapter.split('\n').length).toBeLessThan(60)
  const imported = [...adapter.matchAll(/from '(.*)'/g)].map(([, from]) => from)
  expect(new Set(imported)).toEqual(new Set(['dragoman/agents']))
})

it('[A1] its files type-check', async () => {
  const base = readFileSync(join(root, 'tsconfig.base.json'), 'utf8')
  const { compilerOptions: ours } = JSON.parse(base) as { readonly compilerOptions: object }
  const compilerOptions = { ...ours, types: ['node'], composite: false, rootDir: '/', noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  expect(await node(tsc, '-p', '.')).toEqual({ code: 0, out: '' })
})

it('[A1] [J1] its tests, and those of docs/write-a-store.md, pass with another runner', async () => {
  const lines = [
    { type: 'start', session: 'p' },
    { type: 'word', text: 'Hi' },
    { type: 'odd' },
    { type: 'end' },
  ]
  mkdirSync(join(folder, 'recordings'))
  writeFileSync(join(folder, 'recordings/hello.jsonl'), lines.map(line => JSON.stringify(line)).join('\n'))
  const { code, out } = await node('--test', 'parrot.test.ts', 'store.test.ts')
  expect(out).toContain('hello.jsonl: gives a well-formed stream')
  expect(out).toContain('[J2] saves a key once within a session')
  expect(out).toContain('[W6] sums usage')
  expect(out).toMatch(/fail 0/)
  expect(code).toBe(0)
})

it('[A1] its server answers a prompt with the agent', async () => {
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, env: { ...env, PORT: '0' } })
  try {
    const ended = once(server, 'exit').then(() => ['The server ended.'])
    const printed = once(createInterface({ input: server.stdout }), 'line')
    const [line] = (await Promise.race([printed, ended])) as [string]
    expect(line).toMatch(/^http/)
    const [url = '', token = ''] = line.split(' ')
    const call = async (path: string, body?: object) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) ?? null })
      return (await answer.json()) as Readonly<Record<string, unknown>>
    }
    expect(await call('/api/agents')).toMatchObject({
      agents: [{ name: 'parrot', status: 'ready', version: '1.2.0' }],
    })
    const { id } = await call('/api/sessions', { agent: 'parrot', cwd: folder })
    await call(`/api/sessions/${String(id)}/prompts`, { text: 'Hello, my friend' })
    const answered = async () => JSON.stringify(await call(`/api/sessions/${String(id)}/messages`))
    await expect.poll(answered).toMatch(/"type":"text","text":"Hello, my friend","state":"done"/)
  } finally {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
})
