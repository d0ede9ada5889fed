import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultPort } from '../serve/choose-port.ts'
import { newFolder, startProcess } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const project = join(import.meta.dirname, '../../..')
const slow = join(import.meta.dirname, '../slow-start.fixture.ts')
const asSlow = ([program = '', , ...args]: readonly string[]) => [program, slow, ...args]

/** Takes a port until the test is over, unless another program has it. */
async function occupy(port: number): Promise<number> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {
    // Then it is taken, too.
  })
  return (server.address() as AddressInfo | null)?.port ?? port
}

describe('dragoman without a command', { timeout: 180_000 }, () => {
  it('[O1] starts the server, on the next free port if the usual one is taken, and says so', async () => {
    await occupy(defaultPort)
    const data = newFolder()
    const running = startProcess(['--data', data])
    await running.shows('Ctrl-C')
    const { port } = new URL(/http:\S+/.exec(running.out())?.[0] ?? '')
    expect(Number(port)).toBeGreaterThan(defaultPort)
    running.child.kill('SIGTERM')
    const { code, err } = await running.ended
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(`Port ${defaultPort} is in use. Dragoman uses ${port} instead.`),
    ])
  })

  it('[O1] finds the running server and prints a new sign-in link', async () => {
    const data = newFolder()
    const { url, pid } = await startServer(data)
    const json = await runHere(['--data', data, '--json'])
    expect(json).toMatchObject({ code: 0, err: '' })
    const greeting = JSON.parse(json.out) as { readonly address: string }
    expect(greeting).toMatchObject({ url, pid, data, tokenFile: join(data, 'token') })
    expect((await fetch(greeting.address)).status).toBe(200)
    const { code, out } = await runHere(['--no-open', '--data', data])
    expect(code).toBe(0)
    expect(out).toContain(`Dragoman is already running at ${url}.\n\n  Open   ${url}/?ticket=`)
  })

  it('[R2] refuses a chosen port that is taken, before anything is built', async () => {
    const port = await occupy(0)
    const args = ['--data', newFolder(), '--port', String(port)]
    const { code, out, err } = await startProcess(args, asSlow).ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`port ${port}. The port is in use. Choose another with --port`)
  })

  it('[O5] can be stopped while the web app is built', async () => {
    const data = join(newFolder(), 'data')
    const running = startProcess(['--data', data, '--port', '0'], asSlow)
    await running.shows('Building')
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0, out: 'Building\n', signal: null })
    expect(existsSync(join(data, 'owner.json'))).toBe(false)
  })

  it('[O5] npm start stops the server in good order when npm gets the signal', async () => {
    const data = newFolder()
    const asNpm = ([, , ...args]: readonly string[]) => ['npm', 'start', '--', ...args]
    const env = { DRAGOMAN_WEB: newFolder() }
    const running = startProcess(['--data', data, '--port', '0', '--log', 'json'], asNpm, {
      cwd: project,
      env,
    })
    await running.shows('Ctrl-C')
    const { pid } = JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8')) as { readonly pid: number }
    expect(pid).not.toBe(running.child.pid)
    running.child.kill('SIGTERM')
    // Its output is closed when the last process that has it has ended.
    const { err } = await running.ended
    expect(err).toContain('"message":"The server stopped."')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(existsSync(join(data, 'owner.json'))).toBe(false)
  })
})
