// Some registries lack the builds of our tools for other systems. `npm install` then leaves them out of the lock file, and
// `npm ci` refuses it. This puts them back, as a registry that has them would: run it after `npm install`. It also gives each
// package the checksum that the registry states for it, so that no system installs anything unchecked.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/** The system and processor that a package's name ends with. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = systems.filter(system => words.includes(system))
  const cpu = processors.filter(processor => words.includes(processor)).slice(0, 1)
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }) }
}

let added = 0
for (const place of Object.keys(lock.packages)) {
  const file = `${place === '' ? '.' : place}/package.json`
  if (place === '' || !existsSync(file)) continue
  const { optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = platformOf(name)
    if (lock.packages[`node_modules/${name}`] !== undefined || Object.keys(platform).length === 0) continue
    lock.packages[`node_modules/${name}`] = { version, ...platform, dev: true, optional: true }
    lock.packages[place].optionalDependencies ??= {}
    lock.packages[place].optionalDependencies[name] = version
    added += 1
  }
}
const missing = Object.entries(lock.packages).filter(
  ([place, { link, inBundle, integrity }]) =>
    place.includes('node_modules/') && !link && !inBundle && integrity === undefined,
)
const run = promisify(execFile)
const unknown = []

/** Asks the registry for the checksum of a package. */
async function checksumOf(place, { name = place.slice(place.lastIndexOf('node_modules/') + 13), version }) {
  try {
    const { stdout } = await run('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'])
    return /^"(sha512-[\w+/]+=*)"$/.exec(stdout.trim())?.[1]
  } catch {
    // Named below, with all others that the registry does not know.
    return undefined
  }
}

for (const [place, entry] of missing) {
  const integrity = await checksumOf(place, entry)
  if (integrity === undefined) unknown.push(`${place}@${entry.version}`)
  const { version, ...rest } = entry
  lock.packages[place] = { version, ...(integrity !== undefined && { integrity }), ...rest }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1)),
)
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  `${added} packages for other systems put back into package-lock.json, ${missing.length - unknown.length} checksums added.`,
)
if (unknown.length > 0) {
  console.error(
    `The registry states no checksum for ${unknown.join(', ')}. Run this again with a registry that has them; until then, the lock file must not be used.`,
  )
  process.exitCode = 1
}
