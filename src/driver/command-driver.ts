import { makeCommandJob } from './command/make-command-job.ts';
import type { Driver } from './driver.ts';

/**
 * Commands: a short form that is never stored. Every verb is that of the Job which it stands for, of the same name. Throws where the short
 * form has an error.
 */
export function commandDriver(jobs: Driver): Driver {
  return {
    observe: async object => jobs.observe(makeCommandJob(object)),
    apply: async object => jobs.apply(makeCommandJob(object)),
    remove: async object => jobs.remove(makeCommandJob(object)),
  };
}
