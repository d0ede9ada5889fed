import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockFolder } from '../../journal/sqlite/folder-lock.ts'
import type { Entry } from '../../protocol/entry.ts'
import { wait } from '../../sessions/wait.ts'
import { newFolder, startProcess } from '../process.fixture.ts'
import { startServer, type ServerRunning } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const here = { cwd: process.cwd() }
const entriesIn = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Entry)
const sessionIn = (out: string) => String(entriesIn(out)[0]?.session)

async function stop({ child, ended }: ServerRunning, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
  child.kill(signal)
  return ended
}

function expectGapless(entries: readonly Entry[]) {
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
}

// Processes start and end several times in each, which takes a while on a busy machine.
describe('one folder, one owner', { timeout: 180_000 }, () => {
  it('[O3] commands through a server give what they give without one', async () => {
    const data = newFolder()
    const alone = await runHere(['run', '--data', data, '--options', '{"pace":0}', '--json', 'tools, please'])
    const server = await startServer(data)
    const args = ['run', '--data', data, '--options', '{"pace":0}', '--json', 'show me everything']
    const ran = await runHere(args)
    expect(ran.code).toBe(0)
    expect(ran.err).toContain('Denied Bash: there is no terminal to ask for approval.')
    const entries = entriesIn(ran.out)
    expectGapless(entries)
    expect(entries.at(-1)?.event).toMatchObject({ type: 'interaction-ended', outcome: 'finished' })

    const gone = sessionIn((await runHere(['run', '--data', data, '--json', 'hello'])).out)
    const authorization = `Bearer ${readFileSync(join(data, 'token'), 'utf8').trim()}`
    const deleted = await fetch(`${server.url}/api/sessions/${gone}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    expect(deleted.status).toBe(200)

    const [first, session] = [sessionIn(alone.out), sessionIn(ran.out)]
    const looks = [
      ['sessions', '--json'],
      ['sessions', '--json', '--query', 'tools'],
      ['sessions', '--limit', '1'],
      ['tail', first],
      ['tail', first, '--raw'],
      ['tail', session],
      ['tail', session.slice(0, 20), '--json'],
      ['tail', session, '--json', '--after', '10'],
      ['tail', session, '--after', '100000', '--json'],
      ['log', first],
      ['log', session, '--json'],
      ['log', session, '--tool', 'run'],
      ['log', gone],
      ['usage', '--demo', '--zone', 'UTC'],
      ['usage', '--demo', '--by', 'session', '--csv'],
      ['usage', '--demo', '--by', 'tool,reason'],
      ['usage', '--by', 'tool,model'],
      ['context', first],
      ['context', first, '--part', 'nothing', '--json'],
      ['context', gone],
      ['manipulations', session],
      ['rollback', session, 'nothing', '--json'],
      ['replay', session, '--speed', 'max', '--json'],
      ['rebuild', session],
      ['tail', 'nobody', '--json'],
      ['tail', gone, '--json'],
    ]
    const lookAll = async () => {
      const found = []
      for (const look of looks) found.push([look, await runHere([...look, '--data', data])])
      return found
    }
    // The end of its agents is news, too, so it is brought about before anything is compared.
    await stop(server)
    const direct = await lookAll()
    const other = await startServer(data)
    expect(await lookAll()).toEqual(direct)
    await stop(other)
  })

  it('[T2] [R1] loses and repeats no line when a server is killed and restarts on another port', async () => {
    const data = newFolder()
    const first = await startServer(data)
    const run = startProcess(['run', '--data', data, '--json', 'a long answer'], undefined, here)
    await run.shows('"delta"')
    const session = sessionIn(run.out().slice(0, run.out().indexOf('\n')))
    const tail = startProcess(['tail', session, '--data', data, '--json', '--follow'])
    await tail.shows('"delta"')
    await stop(first, 'SIGKILL')
    await run.shows('Lost the connection to the server. Retrying', 'err')
    // Another command waits meanwhile, or uses the folder for a moment.
    const meanwhile = runHere(['sessions', '--data', data, '--json'])
    const second = await startServer(data)
    expect(JSON.parse((await meanwhile).out)).toMatchObject({ id: session })

    const ran = await run.ended
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('Reconnected to the server.')
    const entries = entriesIn(ran.out)
    expectGapless(entries)
    expect(entries.at(-1)?.event).toMatchObject({ type: 'interaction-ended', outcome: 'interrupted' })
    await tail.shows('"interaction-ended"')

    const again = await runHere(['run', '--data', data, '--session', session, '--json', 'hello'])
    expect(again.code).toBe(0)
    await tail.shows(`"seq":${entriesIn(again.out).at(-1)?.seq},`)
    const direct = await runHere(['tail', session, '--data', data, '--json'])
    expect(direct.out.startsWith(tail.out())).toBe(true)
    expect(direct.out.startsWith(ran.out)).toBe(true)
    tail.child.kill('SIGKILL')
    await stop(second)
  })

  it('[T2] a prompt during a restart of the server runs once, after the restart', async () => {
    const data = newFolder()
    const first = await startServer(data)
    const before = entriesIn((await runHere(['run', '--data', data, '--json', 'hello'])).out)
    const session = String(before[0]?.session)
    const ended = stop(first)
    const prompted = runHere(['run', '--data', data, '--session', session, '--json', 'hello again'])
    await ended
    const second = await startServer(data)
    const { code, out } = await prompted
    expect(code).toBe(0)
    expect(out).toContain('Welcome back')
    const tail = entriesIn((await runHere(['tail', session, '--data', data, '--json'])).out)
    expect(tail.filter(({ event }) => event.type === 'interaction-started')).toHaveLength(2)
    await stop(second)
  })

  it('[T2] a command that waited through a restart also waits for the next owner, before that is known', async () => {
    const data = newFolder()
    // What the command is made of is loaded before anything is timed.
    await runHere(['sessions', '--data', data, '--json'])
    const ending = lockFolder(data, 'serve')
    const listed = runHere(['sessions', '--data', data, '--json'])
    await wait(2500)
    ending[Symbol.dispose]()
    const starting = lockFolder(data)
    rmSync(join(data, 'owner.json'))
    await wait(500)
    starting[Symbol.dispose]()
    expect(await listed).toMatchObject({ code: 0, err: '' })
  })

  it('[T5] [T6] shows approvals of an agent in the server at the terminal, and stops the agent there', async () => {
    const data = newFolder()
    const server = await startServer(data)
    const args = ['run', '--data', data, '--options', '{"pace":0}', 'an approval']
    const person = (screen: string) => (screen.endsWith('a always allow > ') ? 'y' : undefined)
    const { code, out } = await runHere(args, { person })
    expect(code).toBe(0)
    expect(out).toContain('? Bash: allowed')

    const hanging = startProcess(['run', '--data', data, 'a hang'], undefined, here)
    await hanging.shows('you stop me')
    hanging.child.kill('SIGINT')
    const stopped = await hanging.ended
    expect(stopped.code).toBe(1)
    expect(stopped.out).toContain('Stopped in ')
    const left = startProcess(['run', '--data', data, 'a hang'], undefined, here)
    await left.shows('you stop me')
    left.child.kill('SIGTERM')
    expect((await left.ended).code).toBe(1)
    // A command that is stopped interrupts the agent, and does not wait until the agent has ended.
    const running = () => runHere(['sessions', '--data', data, '--json', '--status', 'running'])
    await expect.poll(running).toMatchObject({ code: 0, out: '' })
    await stop(server)
  })

  it('[R3] does not send the token to another program on the port of a dead server', async () => {
    const data = newFolder()
    const server = await startServer(data)
    await stop(server, 'SIGKILL')
    expect(readFileSync(join(data, 'owner.json'), 'utf8')).toContain(server.url)
    let asked = 0
    const stranger = createServer(socket => void ((asked += 1), socket.destroy()))
    await once(stranger.listen(Number(new URL(server.url).port), '127.0.0.1'), 'listening')
    for (const command of [['sessions'], ['doctor'], ['open']]) await runHere([...command, '--data', data])
    stranger.close()
    expect(asked).toBe(0)
  })

  it('[R2] shows the reason of a refusal by the server', async () => {
    const data = newFolder()
    const server = await startServer(data)
    const outside = newFolder()
    const { code, out, err } = await runHere(['run', '--data', data, '--cwd', outside, '--json', 'hello'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toMatchObject({ code: 'folder-not-allowed' })
    expect(err).toContain('or allow more folders with --root.')
    const verified = await runHere(['verify', '--data', data])
    expect(verified.code).toBe(1)
    expect(verified.err).toContain('Verification compares every byte, and a running server changes the files')
    const { code: fine, out: diagnosis } = await runHere(['doctor', '--data', data])
    expect(fine).toBe(0)
    expect(diagnosis).toContain(`✓ lock             in use by the server at ${server.url}`)
    expect(diagnosis).toContain(`✓ server           running at ${server.url}`)
    expect(diagnosis).toMatch(/^✓ agent scripted /m)
    await stop(server)
  })
})
