/** Chances of a simulation, all from one seed. */
export class Dice {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  happens(chance: number): boolean {
    return this.random() < chance;
  }

  /** From the first number to the second, both included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  oneOf<One>(all: readonly [One, ...(readonly One[])]): One {
    return all[Math.floor(this.random() * all.length)] ?? all[0];
  }
}
