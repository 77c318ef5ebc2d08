// Time npm's pbn as `readers.py` times the others: read a small file to warm up, then the file to measure.
const fs = require("fs");
const path = require("path");
const [packages, file, tiny] = process.argv.slice(2);
const pbn = require(path.join(packages, "pbn"));

function games(name) {
  return new Promise((resolve, reject) => {
    let count = 0;
    fs.createReadStream(name)
      .pipe(pbn())
      .on("data", (item) => { if (item.type === "game") count += 1; })
      .on("error", reject)
      .on("end", () => resolve(count));
  });
}

// Peak memory. resourceUsage starts from the peak of the parent process, so it comes second.
function megabytes() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

async function main() {
  await games(tiny);
  const begun = process.hrtime.bigint();
  const boards = await games(file);
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  console.log(JSON.stringify({ seconds, boards, megabytes: megabytes() }));
}

main();
