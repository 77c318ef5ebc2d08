// Times npm's pbn as `readers.py` times the others: a small file first, then the one that counts.
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

// The most memory held; what resourceUsage tells begins with what the process that started this one held.
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
