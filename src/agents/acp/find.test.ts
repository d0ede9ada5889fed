import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { find, findNamed } from './find.ts'
import { readSettings } from './options.ts'
import { presetNames } from './presets.ts'

describe('finding agents with ACP', () => {
  it('[A12] reports installed agents and their versions, and starts nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-find-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    expect(await find({ PATH: folder })).toMatchObject({ status: 'missing' })
    const program = join(folder, 'qwen')
    await writeFile(program, '#!/bin/sh\necho "qwen 0.24.4 $OPENAI_API_KEY $SECRET"\n')
    expect(await find({ PATH: folder })).toMatchObject({ status: 'missing' })
    await chmod(program, 0o755)
    expect(await find({ PATH: `/none::${folder}` })).toMatchObject({
      status: 'ready',
      advice: 'Choose one with the option "preset": qwen (0.24.4).',
    })
    await writeFile(program, '#!/bin/sh\necho 9.0.0\n')
    expect((await find({ PATH: folder })).advice).toContain('qwen (9.0.0, newer than the tested versions)')
  })

  it('[A12] an installed agent that cannot be run is not called ready', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-find-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const program = join(folder, 'qwen')
    await writeFile(program, '#!/bin/sh\necho "No memory" >&2\nexit 1\n', { mode: 0o755 })
    expect(await find({ PATH: folder })).toMatchObject({
      status: 'broken',
      advice: expect.stringMatching(
        /^qwen: Found at .*qwen, but it cannot be run: .* No memory\. Repair it/,
      ) as string,
    })
    await writeFile(join(folder, 'gemini'), '#!/bin/sh\necho what\n', { mode: 0o755 })
    expect(await find({ PATH: folder })).toMatchObject({
      status: 'ready',
      advice: expect.stringMatching(/gemini \(version unknown\)\. qwen: Found at/) as string,
    })
  })

  it('[A12] looks for the command or the preset of the session, and runs nothing of an unknown command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-find-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const env = { PATH: folder }
    const own = { command: 'my-agent' }
    expect(await findNamed(own, env)).toMatchObject({
      status: 'missing',
      advice: 'Install "my-agent", or add its folder to PATH.',
    })
    await writeFile(join(folder, 'my-agent'), `#!/bin/sh\ntouch ${folder}/asked\n`, { mode: 0o755 })
    expect(await findNamed(own, env)).toEqual({ status: 'ready', version: null, advice: null })
    expect(existsSync(join(folder, 'asked'))).toBe(false)
    expect(await findNamed({ preset: 'qwen' }, env)).toMatchObject({ status: 'missing' })
    await writeFile(join(folder, 'qwen'), '#!/bin/sh\necho 0.24.4\n', { mode: 0o755 })
    expect(await findNamed({ preset: 'qwen' }, env)).toMatchObject({ status: 'ready', version: '0.24.4' })
    expect((await findNamed({}, env)).advice).toContain('Choose one with the option "preset"')
    expect(await findNamed({ command: 7 }, env)).toMatchObject({
      status: 'broken',
      advice: expect.stringContaining('"command"') as string,
    })
  })

  it('[A12] every preset has all that is needed to start it, and options override it', () => {
    for (const preset of presetNames) {
      const settings = readSettings({ preset })
      expect(settings.command).not.toBe('')
      expect(settings.install).toContain('npm install')
    }
    expect(readSettings({ preset: 'gemini', args: ['--acp', '-m', 'x'], env: { A: 'b' } })).toMatchObject({
      command: 'gemini',
      args: ['--acp', '-m', 'x'],
      env: { GEMINI_CLI_NO_RELAUNCH: 'true', A: 'b' },
      protocol: 1,
      files: false,
      terminals: false,
    })
  })
})
