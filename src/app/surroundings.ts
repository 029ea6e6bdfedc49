/** What a command sees of the world around it. */
export type Surroundings = {
  env: NodeJS.ProcessEnv;
  cwd: string;
  homedir: string;
  out: (line: string) => void;
  err: (line: string) => void;
};
