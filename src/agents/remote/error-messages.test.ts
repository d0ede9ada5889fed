import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRemoteAgent, type RemoteSettings } from './index.ts'
import {
  connect,
  known,
  newFolder,
  python,
  remote,
  scriptedProgram,
  startService,
  withoutPython,
} from './service.fixture.ts'
import { endOfInteraction } from './watch.fixture.ts'

/** A server that answers each call in the same way. */
async function startStranger(status: number, headers: Record<string, string>, body: string) {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const tokenFile = join(newFolder(), 'token')
  writeFileSync(tokenFile, 'x'.repeat(20), { mode: 0o600 })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokenFile }
}

const refusals: readonly (readonly [string, Partial<RemoteSettings>, RegExp])[] = [
  [
    'an unknown program',
    { program: 'rm' },
    /refused: There is no program "rm" in the configuration\. Available programs: absent, scripted, strict/,
  ],
  [
    'a folder that is not allowed',
    { program: 'strict', folders: { '/': '/etc' } },
    /is not in a folder that the service allows/,
  ],
  [
    'a folder that is not there',
    { folders: { '/': '/nowhere-at-all' } },
    /There is no folder \/nowhere-at-all/,
  ],
  [
    'a program that is not installed',
    { program: 'absent' },
    /"not-installed-anywhere" was not found on that machine/,
  ],
  [
    'an address at which nobody listens',
    { url: 'http://127.0.0.1:59999' },
    /cannot be reached \(ECONNREFUSED\)\. Start it, check/,
  ],
  [
    'a token that is not in the environment',
    { token: { env: 'NO_SUCH_TOKEN' } },
    /There is no valid token in the environment variable NO_SUCH_TOKEN/,
  ],
]

describe('clear error messages', () => {
  it.for(refusals)('[A10] [R2] for %s', async ([, settings, message], context) => {
    if (python === null) return context.skip(withoutPython)
    const strict = { ...scriptedProgram, roots: [newFolder()] }
    const absent = { argv: ['not-installed-anywhere'] }
    const service = await startService({ scripted: scriptedProgram, strict, absent })
    const agent = remote(service, 'scripted', settings, { startMs: 300 })
    const { ended } = await endOfInteraction(agent, 'hello')
    expect(ended).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(message) as string })
  })

  it('[A10] [R2] for a wrong token, an open one, and a service of another kind or version', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    const agent = remote(service, 'scripted')
    expect(await agent.find()).toEqual({ status: 'ready', version: null, advice: null })
    const tokenFile = join(newFolder(), 'token')
    writeFileSync(tokenFile, 'another-token-than-theirs', { mode: 0o600 })
    const advice = async (place: Parameters<typeof remote>[0]) => await remote(place, 'scripted').find()
    expect(await advice({ ...service, tokenFile })).toMatchObject({
      status: 'needs-login',
      lacks: 'token',
      advice: `The service at ${service.url} does not accept the token of the agent "there". Put the token of the service into ${tokenFile}.`,
    })
    await expect(connect(remote({ ...service, tokenFile }, 'scripted'))).rejects.toThrow(
      'does not accept the token',
    )
    chmodSync(tokenFile, 0o644)
    expect((await advice({ ...service, tokenFile })).advice).toContain(`chmod 600 ${tokenFile}`)
    const newer = await startStranger(200, { 'dragoman-proxy': '2' }, '{}')
    expect((await advice(newer)).advice).toContain(
      'uses version 2 of the protocol, but this Dragoman uses version 1. Update',
    )
    const page = await startStranger(200, {}, '<html>')
    expect((await advice(page)).advice).toContain(
      'is not a Dragoman proxy service (answer 200). Correct "url"',
    )
    const broken = await startStranger(502, {}, 'Bad gateway')
    expect((await advice(broken)).advice).toContain('cannot be reached (answer 502)')
    const full = await startStranger(
      429,
      { 'dragoman-proxy': '1' },
      '{"error":{"code":"too-many","message":"Full."}}',
    )
    await expect(connect(remote(full, 'scripted'))).rejects.toThrow(
      `The service at ${full.url} refused: Full.`,
    )
    const gone = await startStranger(
      410,
      { 'dragoman-proxy': '1' },
      '{"error":{"code":"place-gone","message":"No 7."}}',
    )
    await expect(connect(remote(gone, 'scripted'))).rejects.toThrow(
      /no longer has all output of the program.*\(No 7\.\)/,
    )
  })

  it('[A10] [R3] for settings that cannot work: an unknown agent, one over HTTP, a token sent unencrypted', () => {
    const settings = {
      kind: 'remote',
      url: 'http://127.0.0.1:1',
      agent: 'scripted',
      token: { env: 'X' },
    } as const
    const make = (more: Partial<RemoteSettings>) => () =>
      createRemoteAgent({ name: 'there', settings: { ...settings, ...more }, agents: known })
    expect(make({ agent: 'nobody' })).toThrow(
      '.agent" is not the name of an agent. Available agents: scripted, claude-code, codex, gemini-cli, acp.',
    )
    expect(make({ agent: 'opencode' })).toThrow(
      /does not use standard input and output.*if it supports ACP, use "acp"/,
    )
    expect(make({ url: 'http://example.org' })).toThrow(/would send its token and all messages unencrypted/)
    expect(make({ url: 'https://example.org/proxy/' })().title).toBe(
      'Scripted agent at https://example.org/proxy',
    )
    expect(make({ url: 'http://10.0.0.7:4500', unencrypted: true })().name).toBe('there')
  })
})
