// Some registries lack the builds of our tools for other systems. `npm install` then leaves them out of the lock file, and
// `npm ci` refuses it. This puts them back, as a registry that has them would: run it after `npm install`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

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
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1)),
)
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages for other systems put back into package-lock.json.`)
