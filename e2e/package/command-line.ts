import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { transform } from 'esbuild'
import { until } from '../web/app/looking.ts'
import { tryApp } from './app.ts'
import type { Project } from './project.ts'

/** Uses the installed command line as a person would: in a terminal, with a browser. */
export async function checkCommandLine(project: Project): Promise<void> {
  const { checkRun, check, dragoman, folder } = project
  const data = join(folder, 'data')
  const version = await checkRun('dragoman --version', dragoman('--version'))
  check(/^\d+\.\d+\.\d+\n$/.test(version.out), `it is ${version.out.trim()}`)
  await checkRun('dragoman --help', dragoman('--help'))
  const asked = await checkRun(
    'dragoman run',
    dragoman('run', '--data', data, '--agent', 'scripted', 'hello'),
  )
  check(/Done in /.test(asked.out), 'the scripted agent answers')
  const doctor = await checkRun('dragoman doctor', dragoman('doctor', '--data', data))
  check(/^✓ Node/m.test(doctor.out), 'doctor has checked the machine')
  await checkServer(project, data)
  await checkOldNode(project)
}

/** A server in a terminal. */
interface Terminal {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  shown(): string
}

const installed = ({ folder }: Project) => `'${join(folder, 'node_modules/.bin/dragoman')}'`

/** Runs a command in a terminal, with a pretended browser that notes what it should open. */
export function inTerminal({ folder, env }: Project, browsed: string, command: string): Terminal {
  const opener = join(folder, 'bin/xdg-open')
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$*" > '${browsed}'\n`)
  chmodSync(opener, 0o755)
  const child = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
    cwd: folder,
    env: { ...env, DISPLAY: ':0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let shown = ''
  child.stdout?.on('data', piece => (shown += String(piece)))
  return { child, ended: once(child, 'exit'), shown: () => shown }
}

/** The link that was opened in the pretended browser. */
export async function openedLink(browsed: string, ms = 30_000): Promise<URL> {
  await until('the browser is opened', async () => existsSync(browsed), ms)
  const link = readFileSync(browsed, 'utf8')
  rmSync(browsed)
  return new URL(link)
}

/** `dragoman` starts a server and opens it; once more, it opens the same; the app works; Ctrl-C ends it. */
async function checkServer(project: Project, data: string): Promise<void> {
  const { check, folder } = project
  if (spawnSync('script', ['--version']).status !== 0)
    return check(false, 'the program "script" is needed for a terminal')
  const browsed = join(folder, 'browsed')
  const server = inTerminal(project, browsed, `${installed(project)} --data '${data}' --port 0`)
  const first = await openedLink(browsed)
  check(first.hostname === '127.0.0.1', 'dragoman starts the server and opens the browser')
  const again = inTerminal(project, browsed, `${installed(project)} --data '${data}'`)
  const second = await openedLink(browsed)
  await again.ended
  const isSame = second.origin === first.origin && second.search !== first.search
  check(isSame && again.child.exitCode === 0, 'dragoman opens the server that runs')
  await tryApp(project, first)
  server.child.stdin?.write('\u0003')
  await server.ended
  check(server.child.exitCode === 0, `Ctrl-C ends the server ${server.child.exitCode}`)
  check(!existsSync(join(data, 'owner.json')), 'and the data folder is free again')
}

/** An older Node must be able to read the entry, and say what to do. */
async function checkOldNode({ check, folder }: Project): Promise<void> {
  const entry = join(folder, 'node_modules/dragoman/dist/cli/main.js')
  const code = readFileSync(entry, 'utf8')
  const [plain, newest] = await Promise.all(
    ['node12.20', 'esnext'].map(target => transform(code, { target, format: 'esm' })),
  )
  check(plain?.code === newest?.code, 'the entry has only what Node 12 can parse')
  const old = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(place => join(place, 'node'))
    .find(program => existsSync(program) && majorOf(program) < 24)
  if (old === undefined) return console.log('  (there is no older Node here to try)')
  const { status, stderr } = spawnSync(old, [entry], { encoding: 'utf8' })
  const isClear = /^Dragoman needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. Install .*\n$/.test(
    stderr,
  )
  check(status === 1 && isClear, `with Node ${majorOf(old)}, it says what to do`)
}

const majorOf = (program: string) =>
  Number(execFileSync(program, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }))
