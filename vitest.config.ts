import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'e2e/**/*.test.ts', 'bench/**/*.test.ts'],
    // Most tests wait for processes and clocks more than they compute.
    maxWorkers: 3,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
