import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  connect,
  linesOf,
  newFolder,
  python,
  remote,
  scriptedProgram,
  startService,
  withoutPython,
} from './service.fixture.ts'
import { endOfInteraction, isAlive } from './watch.fixture.ts'

describe('a service that goes away', () => {
  it('[A10] [A14] killed in the middle of an answer: a clear error, a closed interaction, the prompt sent once', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    const agent = remote(service, 'scripted', { patienceSeconds: 1 })
    const { ended, prompts } = await endOfInteraction(agent, 'a hang', () => service.end('SIGKILL'))
    // The initialize request, and the prompt.
    expect(prompts).toBe(2)
    expect(ended).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /The service at http.* was lost and could not be reached again within 1 seconds .* then send the prompt again/,
      ) as string,
    })
  })

  it('[A10] [A14] killed and restarted on the same port: it ends what was left running, and reports it', async context => {
    if (python === null) return context.skip(withoutPython)
    const script = join(newFolder(), 'deaf.cjs')
    // It does not end when its input does.
    writeFileSync(script, 'process.stdin.resume(); setInterval(() => {}, 1e6); console.log(process.pid)')
    const programs = { acp: { argv: [process.execPath, script] } }
    // A port that the system would not give to another program meanwhile.
    const service = await startService(programs, { port: 20_000 + (process.pid % 10_000) })
    const agent = remote(service, 'acp', { options: { command: 'x' } }, { startMs: 500 })
    const { connection } = await connect(agent)
    const [line] = await linesOf(connection, () => true)
    const pid = Number(line?.raw)
    expect(isAlive(pid)).toBe(true)
    await service.end('SIGKILL')
    await startService(programs, { port: service.port }, service.folder)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect((await connection.exit).reason).toMatch(/no longer runs this program: the service was restarted/)
  })

  it('[A10] stopped normally: its programs end, and their interactions show why', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    const { ended } = await endOfInteraction(remote(service, 'scripted'), 'a hang', () =>
      service.end('SIGTERM'),
    )
    expect(ended?.reason).toContain('The service on that machine was stopped.')
  })

  it('[A10] gone for a moment only: the answer continues where it was, and the log shows what happened', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram }, { beatSeconds: 0.1 })
    const agent = remote(service, 'scripted', {}, { silenceMs: 300 })
    const { ended, house, session } = await endOfInteraction(agent, 'a long answer', async logged => {
      service.process.kill('SIGSTOP')
      await expect.poll(logged).toContain('no response')
      service.process.kill('SIGCONT')
    })
    expect(ended?.outcome).toBe('finished')
    const log = (await house.events(session, 'agent-logged')).map(({ text }) => text).join('')
    expect(log).toMatch(/was lost \(no response\)\. Retrying\.\nThe connection to .* is restored\./)
    expect((await house.events(session, 'host-spoke')).length).toBe(2)
  })
})
