import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createChecks } from './checks.ts'
import { checkCommandLine } from './package/command-line.ts'
import { openProject, ours, root, type Project } from './package/project.ts'
import { checkTarball } from './package/tarball.ts'
import { checkTypes, checkWithTools, doors } from './package/types.ts'

// Packs the package, installs it in an empty project, and uses it there: the command line, the web app, every door, and what
// docs/write-an-agent.md and docs/write-a-store.md say. It needs the npm registry, and a Chromium.
const { check, finish } = createChecks(20)

/** Packs the package as `npm publish` would, and installs the tarball with the types that its own need. */
async function install({ folder, run, checkRun, install: add }: Project): Promise<boolean> {
  const before = readFileSync(join(root, 'README.md'), 'utf8')
  const pack = ['pack', root, '--pack-destination', join(folder, '..')]
  const { code } = await checkRun('the package can be packed', run('npm', ...pack))
  check(readFileSync(join(root, 'README.md'), 'utf8') === before, 'the README is as before')
  if (code !== 0) return false
  const beside = ['@types/node', '@types/react', 'react'].map(name => `${name}@${ours.devDependencies[name]}`)
  return (await add('project', globSync('../*.tgz', { cwd: folder })[0] ?? '', ...beside)) !== null
}

/** Writes the files that a page of the documentation shows. */
function writeFilesOf({ folder }: Project, page: string): void {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  for (const [, name = '', code = ''] of text.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    writeFileSync(join(folder, name === 'parrot' ? 'bin/parrot' : name), code)
}

/** Imports each door, and fails when it changed a global. Zod shares its settings, and Node loads `fetch` late. */
const importDoors = `
const names = () => Reflect.ownKeys(globalThis).map(String).filter(name => !/^(__zod_global|Symbol\\(undici\\.)/.test(name))
for (const door of process.argv.slice(2)) {
  const before = names()
  const { length } = Object.keys(await import(door))
  const added = names().filter(name => !before.includes(name))
  if (added.length > 0) throw new Error(door + ' added ' + added)
  console.log(door, length)
}`

/** What a web page does, without the types of Node. */
const page = `
import { createClient } from 'dragoman/client'
const client = createClient({ url: location.origin, token: 'secret' })
const { id } = await client.createSession({ agent: 'claude-code' })
await client.session(id).prompt('Hello').saved
client.close()`

interface Asked {
  readonly file: string
  readonly agent: string
  readonly text: string
  readonly answer: RegExp
}

/** Starts a server of the project, prompts an agent over HTTP, and tells whether the messages get to hold the answer. */
async function answers({ folder, env }: Project, { file, agent, text, answer }: Asked): Promise<boolean> {
  const server = spawn(process.execPath, [file], { cwd: folder, env: { ...env, PORT: '0' } })
  let log = ''
  server.stderr.on('data', piece => (log += String(piece)))
  const ended = once(server, 'exit')
  try {
    const line = once(createInterface({ input: server.stdout }), 'line')
    const [first] = (await Promise.race([line, ended.then(() => [`${file} ended.`])])) as [string]
    const [url = '', token = ''] = first.split(' ')
    const call = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${url}/api/sessions${path}`, { ...init, headers })).text()
    }
    const { id } = JSON.parse(await call('', { agent, cwd: folder, options: { pace: 0 } })) as {
      readonly id: string
    }
    await call(`/${id}/prompts`, { text })
    for (const end = Date.now() + 30_000; ;) {
      const messages = await call(`/${id}/messages`)
      if (answer.test(messages)) return true
      if (Date.now() < end) continue
      console.log(messages, log)
      return false
    }
  } finally {
    server.kill()
    await ended
  }
}

/** Writes what the pages of the documentation and the types are tried with. */
function fill(project: Project): void {
  const { folder } = project
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'recordings'))
  for (const each of ['write-an-agent.md', 'write-a-store.md']) writeFilesOf(project, each)
  writeFileSync(join(folder, 'bin/package.json'), '{"type":"commonjs"}')
  chmodSync(join(folder, 'bin/parrot'), 0o755)
  writeFileSync(join(folder, 'page.ts'), page)
  writeFileSync(join(folder, 'import-doors.js'), importDoors)
  const words = [{ type: 'start', session: 'p' }, { type: 'word', text: 'Hi' }, { type: 'end' }]
  writeFileSync(join(folder, 'recordings/hello.jsonl'), words.map(each => JSON.stringify(each)).join('\n'))
}

async function testDoors(project: Project): Promise<void> {
  const { node, checkRun } = project
  await checkRun(
    `all ${doors.length} doors can be imported and change no global`,
    node('import-doors.js', ...doors),
  )
  const tests = node('--test', 'parrot.test.ts', 'store.test.ts')
  const { out } = await checkRun(
    'the adapter passes testAgent, the store testJournal and testCatalogue',
    tests,
  )
  check(/hello\.jsonl: gives a well-formed stream/.test(out), 'the suite of agents ran')
  check(/\[J2\] saves a key once/.test(out) && /\[W6\] sums usage/.test(out), 'the suites of stores ran')
  const answer = /"type":"text","text":"Hello, my friend","state":"done"/
  const parrot = { file: 'server.ts', agent: 'parrot', text: 'Hello, my friend', answer }
  check(await answers(project, parrot), 'a server answers a prompt with the adapter')
  const own = { file: 'own-store.ts', agent: 'scripted', text: 'tools', answer: /Two worked/ }
  check(await answers(project, own), 'a server saves sessions with the journal of the project')
}

{
  using project = openProject(check)
  if (await install(project)) {
    fill(project)
    await checkTarball(project)
    await checkCommandLine(project)
    await testDoors(project)
    const tools = await project.install(
      'tools',
      'publint@0.3.25',
      '@arethetypeswrong/cli@0.18.5',
      'typescript@5.9.3',
    )
    if (tools !== null) {
      await checkTypes(project, tools)
      await checkWithTools(project, tools)
    }
  }
}
finish('The package works in an empty project')
