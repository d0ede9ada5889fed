#!/usr/bin/env node
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < 24) {
  process.stderr.write(`Dragoman needs Node 24 or newer. You are running Node ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  // Loaded only now: an older Node could not even read the rest.
  const { keepCompiled } = await import('./keep-compiled.ts')
  keepCompiled(process.env)
  const { start } = await import('./start.ts')
  await start()
}
