import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const proxyFolder = join(import.meta.dirname, '../../../proxies/python')

/** Installs our own programs in place of the agents' CLIs. Gives the variables that the server needs to find them. */
export function pretendAgents(folder: string): Readonly<Record<string, string>> {
  mkdirSync(folder, { recursive: true })
  const install = (name: string, file = 'asking-program.ts') => {
    const program = join(folder, name)
    const command = `exec '${process.execPath}' '${join(import.meta.dirname, file)}' ${name} "$@"`
    writeFileSync(program, `#!/bin/sh\n${command}\n`, { mode: 0o755 })
    return program
  }
  install('gemini')
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    DRAGOMAN_CLAUDE_CODE: install('claude'),
    DRAGOMAN_CODEX: install('codex'),
    DRAGOMAN_OPENCODE: install('opencode', 'asking-opencode.ts'),
  }
}

/** Starts the Python proxy with our Claude Code behind it. Gives the settings of the remote agent "elsewhere". */
export async function startElsewhere(
  folder: string,
  root: string,
): Promise<AsyncDisposable & { readonly agents: object }> {
  const tokenFile = join(folder, 'proxy-token')
  const config = join(folder, 'proxy.json')
  const programs = { 'claude-code': { argv: [join(folder, 'claude')], args: true } }
  writeFileSync(config, JSON.stringify({ port: 0, roots: [root], tokenFile, programs }))
  const args = ['-m', 'dragoman_proxy', '--config', config]
  const proxy = spawn('python3', args, { cwd: proxyFolder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(proxy, 'exit')
  const first = once(createInterface({ input: proxy.stdout }), 'line') as Promise<[string]>
  const [ready] = await Promise.race([
    first,
    ended.then(() => Promise.reject(new Error('The proxy for remote agents did not start.'))),
  ])
  const { url } = JSON.parse(ready) as { readonly url: string }
  return {
    agents: { elsewhere: { kind: 'remote', url, agent: 'claude-code', token: { file: tokenFile } } },
    async [Symbol.asyncDispose]() {
      proxy.kill()
      await ended
    },
  }
}
