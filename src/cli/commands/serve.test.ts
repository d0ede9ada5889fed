import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder, startProcess } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777
const hasScript = spawnSync('script', ['--version']).status === 0
const open = (address: string) => fetch(address, { redirect: 'manual' })

describe('serve', { timeout: 180_000 }, () => {
  it('[O1] [R3] prints a one-time sign-in link', async () => {
    const data = join(newFolder(), 'data')
    const { url, address, child, pid, ended } = await startServer(data)
    expect(child.pid).toBe(pid)
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?ticket=[\w-]{20,}$/)
    const [first, second] = [await open(address), await open(address)]
    expect([first.status, second.status]).toEqual([200, 401])
    expect(second.headers.get('set-cookie')).toBeNull()
    const cookie = String(first.headers.get('set-cookie')).split(';')[0] ?? ''
    const [, key = ''] = /name="dragoman-key" content="([^"]+)"/.exec(await first.text()) ?? []
    const list = (headers: Record<string, string>) =>
      fetch(`${url}/api/sessions`, { headers }).then(({ status }) => status)
    expect(await list({ cookie, 'x-dragoman-key': key })).toBe(200)
    expect(await list({ cookie })).toBe(401)
    expect(await fetch(`${url}/api/sessions`).then(({ status }) => status)).toBe(401)

    expect([modeOf(data), modeOf(join(data, 'token')), modeOf(join(data, 'owner.json'))]).toEqual([
      0o700, 0o600, 0o600,
    ])
    expect(JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8'))).toMatchObject({
      pid,
      url,
      command: 'serve',
    })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null })
    expect(existsSync(join(data, 'owner.json'))).toBe(false)
  })

  it('[O5] [R3] writes plain text to a pipe, and logs JSON lines without the token', async () => {
    const data = newFolder()
    const running = startProcess(['serve', '--data', data, '--port', '0'])
    await running.shows('Ctrl-C')
    running.child.kill('SIGINT')
    const { code, out, err } = await running.ended
    expect(code).toBe(0)
    expect(out).toMatch(/^Dragoman is listening\.\n\n {2}Open {3}http:\/\/127\.0\.0\.1:\d+\/\?ticket=\S+\n/)
    expect(out).toContain(`Data   ${data}\n`)
    const lines = err
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as object)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines)
      expect(line).toMatchObject({ at: expect.any(String), level: expect.any(String) })
    expect(err).not.toContain(readFileSync(join(data, 'token'), 'utf8').trim())
  })

  it('[R2] escapes terminal control characters in its JSON log', async () => {
    const data = join(newFolder(), 'a\u009bb\u202ec\u007f')
    mkdirSync(data, { mode: 0o755 })
    const running = startProcess(['serve', '--log', 'json', '--data', data, '--port', '0'])
    await running.shows('Ctrl-C')
    running.child.kill('SIGINT')
    const { err } = await running.ended
    expect(err).toMatch(/^[\u0020-\u007e\n]*$/)
    const warning = err.split('\n').find(line => line.includes('Other users can read')) ?? ''
    expect(warning).toContain(String.raw`a\u009bb\u202ec\u007f`)
    expect(JSON.parse(warning)).toMatchObject({ message: expect.stringContaining(data) })
  })

  it.skipIf(!hasScript)('[O1] [O3] on a terminal it opens the browser, and stops at Ctrl-C', async () => {
    const folder = newFolder()
    const browsed = join(folder, 'browsed')
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nprintf %s "$*" > "$BROWSED"\n', { mode: 0o700 })
    const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0', BROWSED: browsed }
    const inTerminal = (words: readonly string[]) => [
      'script',
      '-qec',
      `exec ${words.join(' ')}`,
      '/dev/null',
    ]
    const args = ['serve', '--data', join(folder, 'data'), '--port', '0']
    const running = startProcess(args, inTerminal, { env })
    await running.shows('Ctrl-C')
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?ticket=[\w-]+/.exec(running.out())?.[0]
    await expect.poll(() => readFileSync(browsed, 'utf8')).toBe(address)
    running.child.stdin.write('\u0003')
    const { code, out } = await running.ended
    expect(code).toBe(0)
    expect(out).toContain('\u001b[32mDragoman is listening.')
    expect(out).toContain('Stopping. Press Ctrl-C again to quit at once.')
    // Nothing of the log is for people here.
    expect(out).not.toContain('"level"')
  })

  it('[R3] keeps its token, accepts another, and refuses an invalid one', async () => {
    const data = newFolder()
    const kept = join(data, 'token')
    const tokenAfter = async (flags: readonly string[]) => {
      const { child, ended } = await startServer(data, flags)
      child.kill('SIGTERM')
      await ended
      return readFileSync(kept, 'utf8')
    }
    const first = await tokenAfter([])
    expect(first).toMatch(/^[\w-]{43}\n$/)
    expect(await tokenAfter([])).toBe(first)
    expect(await tokenAfter(['--token', 'my-own-token-of-mine'])).toBe('my-own-token-of-mine\n')
    expect(modeOf(kept)).toBe(0o600)
    for (const token of ['', 'short']) {
      const { code, err } = await runHere(['serve', '--data', data, '--token', token])
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('must be at least 16 visible ASCII characters'),
      ])
    }
  })

  it('[R2] says what to do when the port or the folder is in use', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as { port: number }
    const data = newFolder()
    const taken = await startProcess(['serve', '--json', '--data', data, '--port', String(port)]).ended
    busy.close()
    expect(taken.code).toBe(1)
    expect(JSON.parse(taken.err.trim().split('\n').at(-1) ?? '')).toMatchObject({ code: 'address-in-use' })
    expect(taken.err).toContain('Choose another with --port')

    const { pid, url } = await startServer(data)
    const second = await startProcess(['serve', '--data', data, '--port', '0']).ended
    expect([second.code, second.out]).toEqual([1, ''])
    expect(second.err).toContain(`Another Dragoman (process ${pid}, since `)
    expect(second.err).toContain(`"dragoman serve", ${url}) is using the data folder ${data}.`)
  })

  it('[R3] warns when others can reach it', async () => {
    const { child, ended, url } = await startServer(newFolder(), ['--host', '0.0.0.0', '--log', 'human'])
    expect(new URL(url).hostname).toBe('127.0.0.1')
    child.kill('SIGTERM')
    const { code, err } = await ended
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^\S+ warning Listening on 0\.0\.0\.0: other machines/),
    ])
  })

  it('[O5] stops properly within ten seconds, and at once on a second signal', async () => {
    const data = newFolder()
    const first = await startServer(data)
    const running = startProcess(['run', '--data', data, '--json', 'a hang'], undefined, {
      cwd: process.cwd(),
    })
    await running.shows('"delta":"wait')
    const asked = performance.now()
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    expect(performance.now() - asked).toBeLessThan(10_000)
    const listed = await runHere(['sessions', '--data', data, '--json'])
    expect(JSON.parse(listed.out)).toMatchObject({ running: null, interactions: 1 })

    const second = await startServer(data)
    await running.ended
    const again = await runHere(['run', '--data', data, 'hello'])
    expect(again.code).toBe(0)
    const hanging = startProcess(['run', '--data', data, '--json', 'a hang'], undefined, {
      cwd: process.cwd(),
    })
    await hanging.shows('"delta":"wait')
    second.child.kill('SIGTERM')
    second.child.kill('SIGINT')
    expect((await second.ended).code).toBe(1)
    hanging.child.kill('SIGKILL')
  })

  it('[R1] exits with 1 and the reason when its data folder is removed, and accepts nothing more', async () => {
    const data = join(newFolder(), 'data')
    const { url, ended } = await startServer(data)
    const authorization = `Bearer ${readFileSync(join(data, 'token'), 'utf8').trim()}`
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization, 'content-type': 'application/json' } })
    expect((await ask('/readyz')).status).toBe(200)
    rmSync(data, { recursive: true })
    await expect.poll(async () => (await ask('/readyz')).status).toBe(503)
    expect(await (await ask('/readyz')).json()).toMatchObject({ code: 'data-folder-gone' })
    const refused = await ask('/api/sessions', { method: 'POST', body: '{}' })
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'data-folder-gone' }])
    const { code, err } = await ended
    expect(code).toBe(1)
    expect(err).toContain(`"level":"error","message":"The data folder ${data} was removed or replaced`)
    expect(existsSync(data)).toBe(false)
  })

  it('[O3] [R3] open signs in another browser', async () => {
    const data = newFolder()
    const none = await runHere(['open', '--data', data])
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('Start one with "dragoman serve"')])
    const { url } = await startServer(data)
    const { code, out } = await runHere(['open', '--data', data])
    expect(code).toBe(0)
    expect(out.startsWith(`${url}/?ticket=`)).toBe(true)
    expect((await open(out.trim())).status).toBe(200)
    const json = await runHere(['open', '--data', data, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({
      url: expect.stringContaining(url),
      expiresAt: expect.any(Number),
    })
  })
})
